/* global Search, SearchResultKind, Stemmer, splitQuery */
/*
 * Ranks the pages for a search. Sphinx's own search finds only pages that have every word of a query, and ranks them
 * by one of its words, which fits names; people type questions. Here a page counts for each word that it has, for rare
 * ones more, and most for words of one heading, to which its result leads.
 */
const MOST_RESULTS = 12; // the summary of each one is fetched

/** From each word to how rare it is among the pages, and for each page the sum over its words. */
const wordsOfPages = (words) => {
  const { docnames, terms, titleterms } = Search._index;
  const having = (index, word) => (Object.hasOwn(index, word) ? [index[word]].flat() : []);
  const rarity = new Map();
  const sums = docnames.map(() => 0);
  for (const word of words) {
    const isKnown = Object.hasOwn(terms, word) || Object.hasOwn(titleterms, word);
    const begun = isKnown || word.length < 3 ? [word] : Object.keys(terms).filter((term) => term.startsWith(word));
    const found = new Set(begun.flatMap((term) => [...having(terms, term), ...having(titleterms, term)]));
    rarity.set(word, Math.log(1 + docnames.length / Math.max(found.size, 1)));
    for (const file of found) sums[file] += rarity.get(word);
  }
  return { rarity, sums };
};

/** For each page the heading that has most of the words, with its anchor and what it is worth; a title is worth more. */
const bestHeadings = (words, rarity) => {
  const { docnames, titles, alltitles } = Search._index;
  const stemmer = new Stemmer();
  const best = docnames.map(() => ({ worth: 0, heading: "", anchor: "" }));
  for (const [heading, places] of Object.entries(alltitles)) {
    const stems = new Set(splitQuery(heading.toLowerCase()).map((word) => stemmer.stemWord(word)));
    const matched = [...words].filter((word) => stems.has(word));
    const share = matched.length / words.size + (0.2 * matched.length) / stems.size;
    const weight = share * matched.reduce((sum, word) => sum + rarity.get(word), 0);
    for (const [file, id] of places) {
      const isTitle = titles[file] === heading;
      const worth = weight * (isTitle ? 1.5 : 1);
      if (worth <= best[file].worth) continue;
      best[file] = isTitle || !id ? { worth, heading: "", anchor: "" } : { worth, heading, anchor: `#${id}` };
    }
  }
  return best;
};

/** The names of the API that a query has: first of all if it looks like a name, else last. */
const named = (query, terms) => {
  const name = query.trim().toLowerCase().replace(/\(.*/, "");
  return [...terms].flatMap((term) => Search.performObjectSearch(term, terms)).map((result) => {
    const isMeant = /[._]/.test(name) && `.${result[1].toLowerCase()}`.endsWith(`.${name}`);
    return [...result.slice(0, 4), isMeant ? 100 : result[4] / 100, ...result.slice(5)];
  });
};

Search._performSearch = (query, stemmed, _excluded, _highlighted, terms) => {
  const { docnames, filenames, titles } = Search._index;
  const words = new Set([...stemmed, ...(query.match(/\b\d+\b/g) ?? [])]); // Sphinx leaves out numbers
  const { rarity, sums } = wordsOfPages(words);
  const isAside = (name) => /^(api\/|index$|changelog$)/.test(name); // they name everything
  const pages = bestHeadings(words, rarity).map(({ worth, heading, anchor }, file) => [
    docnames[file],
    heading ? `${titles[file]} › ${heading}` : titles[file],
    anchor,
    null,
    (sums[file] + 1.5 * worth) * (isAside(docnames[file]) ? 0.5 : 1),
    filenames[file],
    SearchResultKind.text,
  ]);
  const seen = new Set();
  return [...pages, ...named(query, terms)]
    .filter((result) => result[4] > 0)
    .sort((left, right) => right[4] - left[4])
    .filter(([page, , anchor]) => !seen.has(page + anchor) && seen.add(page + anchor))
    .slice(0, MOST_RESULTS)
    .reverse(); // they are shown from the last one on
};
