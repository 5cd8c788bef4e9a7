// How the search ranks: pages that tell how, before the reference, before what tells why and when it came.
// Sphinx looks for a variable.
var Scorer = {
  score: ([page, , , , score]) => score - (/^(decisions|changelog)/.test(page) ? 4 : /^api\//.test(page) ? 2 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
