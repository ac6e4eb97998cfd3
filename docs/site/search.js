/*
 * Ranks the pages for a search. Sphinx's own search finds only pages that have every word of a query, and ranks them
 * by one of its words, which fits names; people type questions. Here a page counts for each word that it has, for rare
 * ones more, and most for words of one heading, to which its result leads.
 */
Search._performSearch = (query, stemmed, _excluded, _highlighted, names) => {
  const { docnames, filenames, titles, alltitles, terms, titleterms } = Search._index;
  const stemmer = new Stemmer();
  const having = (index, word) => (Object.hasOwn(index, word) ? [index[word]].flat() : []);
  const pages = docnames.map(() => ({ text: 0, heading: 0, place: ["", null] }));

  const words = new Set([...stemmed, ...query.match(/\b\d+\b/g) ?? []]); // Sphinx leaves out numbers
  const rarity = new Map();
  for (const word of words) {
    const isKnown = Object.hasOwn(terms, word) || Object.hasOwn(titleterms, word);
    const begun = isKnown || word.length < 3 ? [word] : Object.keys(terms).filter((term) => term.startsWith(word));
    const found = new Set(begun.flatMap((term) => [...having(terms, term), ...having(titleterms, term)]));
    rarity.set(word, Math.log(1 + docnames.length / Math.max(found.size, 1)));
    for (const file of found) pages[file].text += rarity.get(word);
  }
  for (const [heading, places] of Object.entries(alltitles)) {
    const stems = new Set(splitQuery(heading.toLowerCase()).map((word) => stemmer.stemWord(word)));
    const matched = [...words].filter((word) => stems.has(word));
    const share = matched.length / words.size + (0.2 * matched.length) / stems.size;
    const weight = share * matched.reduce((sum, word) => sum + rarity.get(word), 0);
    for (const [file, id] of places) {
      const worth = weight * (titles[file] === heading ? 1.5 : 1);
      if (worth > pages[file].heading) Object.assign(pages[file], { heading: worth, place: [heading, id] });
    }
  }

  // what lists everything, and what is no guide, comes behind
  const isAside = (name) => /^(api\/|index$|changelog$|contributing$)/.test(name);
  const results = pages.map(({ text, heading, place: [title, id] }, file) => [
    docnames[file],
    title && title !== titles[file] ? `${titles[file]} › ${title}` : titles[file],
    title && title !== titles[file] && id ? `#${id}` : "",
    null,
    (text + 1.5 * heading) * (isAside(docnames[file]) ? 0.5 : 1),
    filenames[file],
    SearchResultKind.text,
  ]);

  // names of the API come first if the query looks like one
  const name = query.trim().toLowerCase().replace(/\(.*/, "");
  for (const each of [...names].flatMap((term) => Search.performObjectSearch(term, names))) {
    const isNamed = /[._]/.test(name) && `.${each[1].toLowerCase()}`.endsWith(`.${name}`);
    results.push([...each.slice(0, 4), isNamed ? 100 : each[4] / 100, ...each.slice(5)]);
  }

  _removeChildren(document.getElementById("search-progress"));
  const seen = new Set();
  return results
    .filter((each) => each[4] > 0)
    .sort((left, right) => right[4] - left[4])
    .filter((each) => !seen.has(each[0] + each[2]) && seen.add(each[0] + each[2]))
    .slice(0, 12)
    .reverse();
};
