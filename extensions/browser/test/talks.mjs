// Copyright The ctx-lsp authors. MIT licence.

// The conversations of the pictures, written for them. What is long in them is not in the page, as on the sites.

const said = (words, times) => `${words} `.repeat(times).trim();

/** A conversation with a report attached to its first message. The last answer has a thought before it. */
export const english = {
  dir: 'ltr',
  title: 'Annual report',
  talk: [
    ['user', 'Here is our annual report. What changed since last year?'],
    ['assistant', said('Three things changed: revenue, costs, and the way in which both are counted.', 900)],
    ['user', said('Compare that with the plan from March, chapter by chapter, and say where we are late.', 400)],
    ['assistant', said('Chapter by chapter, the plan and the report differ in these points.', 800)],
    ['user', 'Which two numbers would you put on the first slide?'],
    [
      'assistant',
      'Revenue per customer, and how many customers stayed. Both went up, and everything else follows from them.',
    ],
    ['user', 'And what will people ask about?'],
    [
      'assistant',
      'About the costs. They grew faster than planned in spring, and have been falling since the move. I would say so before anybody asks.',
    ],
  ],
  more: {
    0: { attachment: ['annual-report-2025.pdf', said('Revenue grew by nine percent, and costs by four.', 2610)] },
    5: { thinking: said('The table on page nine says otherwise.', 450) },
  },
};

/** The same kind of conversation on a page whose lines run from right to left. */
export const hebrew = {
  dir: 'rtl',
  title: 'גינה קטנה עם עצי פרי',
  talk: [
    ['user', said('תכנן לי גינה קטנה עם עצי פרי, ירקות ומקום לשבת בצל.', 400)],
    ['assistant', said('נתחיל באדמה, אחר כך במים, ורק בסוף בעצים.', 700)],
    ['user', 'אילו עצים מתאימים לצל?'],
    ['assistant', 'תאנה ורימון יסתדרו גם בחצי צל. לימון צריך יותר שמש, ולכן כדאי לשתול אותו ליד הקיר הדרומי.'],
    ['user', 'וכמה מים הם צריכים?'],
    ['assistant', 'פעמיים בשבוע בקיץ, ופעם בשבועיים בחורף. בשנה הראשונה קצת יותר.'],
  ],
  more: {},
};
