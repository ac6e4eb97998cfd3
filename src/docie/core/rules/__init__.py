"""When is a value right? Match rules, what a schema says of values, and what errors weigh and cost."""
