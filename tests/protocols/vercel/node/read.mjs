// Reads our streams with the AI SDK itself: node read.mjs <path of the package `ai`>, the work as JSON on stdin.
//
// `streams` are bodies of replies; `chat` is the address of an endpoint, which is asked each of `questions` in one chat,
// as `useChat` does it. Printed is, for each stream, its message and what was refused of it, and the messages of the chat.
import { pathToFileURL } from 'node:url';

const ai = await import(pathToFileURL(`${process.argv[2]}/dist/index.js`));

async function input() {
  let text = '';
  for await (const piece of process.stdin) text += piece;
  return JSON.parse(text);
}

async function message(chunks, errors, before) {
  let last;
  const read = ai.readUIMessageStream({ stream: chunks, message: before, onError: (error) => errors.push(String(error)) });
  for await (const one of read) last = structuredClone(one);
  return last;
}

async function stream(body) {
  const errors = [];
  const events = ai.parseJsonEventStream({
    stream: new Blob([body]).stream(),
    schema: ai.uiMessageChunkSchema,
  });
  const chunks = events.pipeThrough(
    new TransformStream({
      transform(event, controller) {
        if (event.success) controller.enqueue(event.value);
        else errors.push(String(event.error));
      },
    }),
  );
  const read = await message(chunks, errors);
  const valid = await ai.safeValidateUIMessages({ messages: [JSON.parse(JSON.stringify(read))] });
  return { message: read, errors, valid: valid.success };
}

async function chat(address, questions) {
  const transport = new ai.DefaultChatTransport({ api: address });
  const errors = [];
  const messages = [];
  for (const [number, text] of questions.entries()) {
    messages.push({ id: `q-${number}`, role: 'user', parts: [{ type: 'text', text }] });
    const chunks = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'chat-1',
      messageId: undefined,
      messages,
      abortSignal: undefined,
    });
    messages.push(await message(chunks, errors));
  }
  return { messages, errors };
}

const work = await input();
const streams = [];
for (const body of work.streams ?? []) streams.push(await stream(body));
console.log(JSON.stringify({ streams, chat: work.chat ? await chat(work.chat, work.questions) : null }));
