// Copyright The ctx-lsp authors. MIT licence.

import { talkOf } from './answers.mjs';
import { badge, until } from './chromium.mjs';
import { bare, gemini, gpt, native, opus, same, says } from './expect.mjs';

const items = (talk) => talk.map(([kind, text]) => ({ kind, text }));
const whole = (display) => (words) => says(display)(words) && !/at least/.test(words);
const part = (words) => /at least/.test(words ?? '');

/** Pages that show a part of their conversation, in real Chromium. `browse` is a test with pages. */
export async function inToday(browse, notes, { setPlans, setSites }) {
  const sites = [
    ['https://claude.ai/chat/2026n200', opus],
    ['https://chatgpt.com/c/2026n200', gpt],
    ['https://gemini.google.com/app/2026n200', gemini],
  ];
  for (const [address, model] of sites) {
    const { hostname } = new URL(address);
    await browse(
      `six of 200 messages are mounted and the number is the whole's, by what ${hostname} loads`,
      async (open) => {
        const page = await open(`${address}?load`);
        await until(page, whole(native(model, items(talkOf(200)))), 'from its own load');
        // The same conversation continues: newer messages are added to the loaded ones.
        await page.evaluate(() => {
          fake.say('user', 'And what of the last one?');
          fake.say('assistant', 'It is the last.');
        });
        const more = [...talkOf(200), ['user', 'And what of the last one?'], ['assistant', 'It is the last.']];
        await until(page, whole(native(model, items(more))), 'with what is newer');
      },
    );
  }
  await browse('six of 200 messages are mounted, and without the load the number is a least one', async (open) => {
    const scrolled = async ([address, model]) => {
      const page = await open(address);
      const last = native(model, items(talkOf(200).slice(194)));
      await until(page, (w) => says(last)(w) && part(w), address);
      same((await notes(page)).filter((n) => / of 200 messages read/.test(n)).length, 1, 'said in the details');
      const all = whole(native(model, items(talkOf(200))));
      // Turns removed before they were read stay missing, so a slow machine scrolls again, more slowly.
      for (let pause = 120; pause < 2000 && !all((await badge(page)) ?? ''); pause *= 2)
        for (let i = 190; i >= 0; i -= 5) {
          await page.evaluate((i) => fake.mount(i, i + 8), i);
          await page.waitForTimeout(pause);
        }
      await until(page, all, 'scrolled through');
    };
    await Promise.all(sites.slice(0, 2).map(scrolled));
    const bare = await open('https://chatgpt.com/c/2026n200?bare');
    await until(bare, part, 'without shells, by the number of the first turn');
    const above = await open('https://gemini.google.com/app/2026n200');
    await above.evaluate(() => fake.mount(180, 200));
    await until(above, part, 'ten turns, as the page loads at first');
  });
  await browse('a lower bound has the least of what no page shows, and an estimate the usual size', async (open) => {
    await setSites({});
    try {
      const hidden = (tokens) => ({ kind: 'system', tokens, hidden: true });
      for (const [[address, model], least, usual, most] of [
        [sites[0], 3_200, 22_000, '32,400'],
        [sites[1], 1_000, 4_500, '28,383'],
      ]) {
        const page = await open(address);
        const last = native(model, [hidden(least), ...items(talkOf(200).slice(194))]);
        await until(page, (w) => says(last)(w) && part(w), `${address}, a part`);
        const named = (await notes(page)).filter((n) => n.includes('Hidden content that'));
        const words = [`at least ${least.toLocaleString('en')} tokens`, usual.toLocaleString('en'), most];
        same([named.length, words.filter((w) => !named[0]?.includes(w))], [1, []], `${address}: ${named}`);
        await page.evaluate(() => fake.load());
        await until(page, whole(native(model, [hidden(usual), ...items(talkOf(200))])), `${address}, the whole`);
        const now = (await notes(page)).filter((n) => n.includes(`usual ${usual.toLocaleString('en')} tokens`));
        same(now.length, 1, `${address}: ${await notes(page)}`);
      }
    } finally {
      await setSites(bare);
    }
  });
  await browse('another conversation in the same page: nothing of the one before is counted', async (open) => {
    for (const [address, model] of sites.slice(0, 2)) {
      const page = await open(address);
      await until(page, part, address);
      const next = talkOf(5).map(([side, text]) => [side, `Elsewhere: ${text}`]);
      // The address changes first, the page goes on with something else, and shows the conversation when it is there.
      await page.evaluate(() => {
        history.pushState(null, '', location.pathname.replace('n200', 'n5'));
        document.body.append(document.createElement('aside'));
      });
      await page.waitForTimeout(700);
      const meanwhile = await badge(page);
      same(/\d/.test(meanwhile ?? ''), false, `${address}, before it is shown: ${meanwhile}`);
      await page.evaluate((next) => {
        talk.splice(0, talk.length, ...next);
        fake.mount(0, talk.length);
      }, next);
      await until(page, whole(native(model, items(next))), `${address}, then another`);
    }
  });
  await browse('a temporary chat is counted, and the next one at its address starts over', async (open) => {
    const page = await open('https://chatgpt.com/?temporary-chat=true&of=2026n6');
    await until(page, whole(native(gpt, items(talkOf(6)))), 'a temporary chat');
    const next = talkOf(3).map(([side, text]) => [side, `Again: ${text}`]);
    await page.evaluate((next) => {
      talk.splice(0, talk.length, ...next);
      ids.splice(0, ids.length, 'other-1', 'other-2', 'other-3');
      fake.mount(0, talk.length);
    }, next);
    await until(page, whole(native(gpt, items(next))), 'the next one');
  });
  await browse('loaded messages that contradict the page are dropped, with a note', async (open) => {
    const page = await open('https://claude.ai/chat/2026n12');
    await page.evaluate(async () => {
      for (let i = 0; i < talk.length; i++)
        talk[i][1] = `Quite another text, the ${i}th, about nothing that was loaded.`;
      fake.mount(0, 12);
      await fake.load();
    });
    const texts = await page.evaluate(() => talk);
    await until(page, whole(native(opus, items(texts))), 'what the page shows');
    same((await notes(page)).filter((n) => /contradicts/.test(n)).length, 1, 'said');
  });
  await browse('until the plan is known there is no percentage, and the chosen mode counts at once', async (open) => {
    await setPlans({ chatgpt: '' });
    try {
      const page = await open('https://chatgpt.com/c/2026n40');
      const { used } = native(gpt, items(talkOf(40)).slice(34));
      await until(page, (w) => w?.includes(used) && !w.includes('% full'), 'tokens alone');
      // The line asks for the plan until its details were open once.
      await until(page, (w) => w?.endsWith(' · choose your plan for a percentage'), 'it asks');
      await notes(page);
      await until(page, (w) => w?.includes(used) && !w.includes('choose'), 'it asked once');
      await page.reload();
      await until(page, (w) => w?.includes(used) && !w.includes('choose'), 'and not in the next page');
      await setPlans({ chatgpt: 'plus' });
      await until(page, (w) => w?.includes('of 32k tokens'), 'Plus');
      await page.evaluate(() => fake.choose('ChatGPT 5.5 Thinking'));
      await until(page, (w) => w?.includes('of 256k tokens'), 'Thinking was chosen, and nothing answered yet');
      // A name that is not known may be a mode of another window.
      await page.evaluate(() => fake.choose('ChatGPT 5.5 Réflexion'));
      await until(page, (w) => w?.includes(used) && !w.includes('%'), 'tokens alone, in an unknown mode');
      same((await notes(page)).filter((n) => /depends on the mode/.test(n)).length, 1, 'said in the details');
    } finally {
      await setPlans({});
    }
  });
  await browse('an image, a report, an attachment alone are not counted, and marked as missing', async (open) => {
    for (const [address, model, how, words] of [
      ['https://chatgpt.com/c/2026n6', gpt, 'image', '1 image not counted'],
      ['https://chatgpt.com/c/2026n6', gpt, 'report', '1 research report not counted'],
      ['https://chatgpt.com/c/2026n6', gpt, 'strange', '1 message cannot be read'],
    ]) {
      const page = await open(address);
      const now = native(model, items(talkOf(6)));
      await until(page, whole(now), 'before');
      await page.evaluate((how) => fake.put(fake[how](0)), how);
      await until(page, (w) => says(now)(w) && part(w), how);
      same((await notes(page)).includes(words), true, `${how}: ${await notes(page)}`);
    }
    const pending = await open('https://chatgpt.com/c/2026n5');
    await pending.evaluate(() => fake.put(fake.pending()));
    await until(pending, whole(native(gpt, items(talkOf(5)))), 'an answer that has not begun');
    const pasted = await open('https://claude.ai/chat/2026n6');
    await pasted.evaluate(() => thread.lastElementChild.replaceWith(fake.pasted()));
    await until(pasted, part, 'a message of a pasted file alone');
    const strange = await open('https://chatgpt.com/c/2026n4');
    await strange.evaluate(() => {
      for (let i = 0; i < 6; i++) fake.put(fake.strange(i));
    });
    await until(strange, (w) => /cannot be read/.test(w ?? ''), 'a page of which most cannot be read');
  });
}
