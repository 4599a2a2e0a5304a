// Copyright The ctx-lsp authors. MIT licence.

// Google's Gemini API.
import { events, newId, whole } from './answer.mjs';

export const isPath = (path) => /:(streamGenerateContent|generateContent|countTokens)$/.test(path);
export const counts = (path) => path.endsWith(':countTokens');
export const counted = (input) => ({ totalTokens: input });
export const modelOf = (path) => /models\/([^:]+):/.exec(path)?.[1];

/** Returns the parts of a request: system texts, tools, and the items of the conversation. */
export function read(request) {
  const body = request.generateContentRequest ?? request;
  const items = [];
  for (const content of body.contents ?? []) {
    for (const part of content.parts ?? []) if (!part.thought) items.push(item(part, content.role));
  }
  return {
    system: (body.systemInstruction?.parts ?? []).map((part) => ({ text: part.text ?? '' })),
    tools: (body.tools ?? [])
      .flatMap((tool) => tool.functionDeclarations ?? [])
      .map((tool) => ({
        name: tool.name,
        schema: tool.parametersJsonSchema ?? tool.parameters,
        text: JSON.stringify(tool),
        share: 0.47, // declarations cost about half of their text
      })),
    items,
    // Requests for a decision, such as which model to use, name the form of the response.
    form: body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema,
  };
}

function item(part, role) {
  if (part.functionCall) {
    return { kind: 'call', text: part.functionCall.name + JSON.stringify(part.functionCall.args) };
  }
  if (part.functionResponse) {
    const { response } = part.functionResponse;
    const output = response?.output ?? response ?? '';
    const images = (part.functionResponse.parts ?? []).flatMap((each) => each.inlineData?.data ?? []);
    return { kind: 'result', text: typeof output === 'string' ? output : JSON.stringify(output), images };
  }
  if (part.inlineData) return { kind: 'image', images: [part.inlineData.data] };
  return { kind: role === 'model' ? 'text' : 'user', role, text: part.text ?? JSON.stringify(part) };
}

export function write(response, { path, step, usage, model }) {
  const parts = step.text ? [{ text: step.text }] : [];
  if (step.reasoning) parts.unshift({ text: step.reasoning, thought: true });
  for (const call of step.calls) {
    parts.push({ functionCall: { id: newId(), name: call.name, args: call.arguments }, thoughtSignature: 'bGFi' });
  }
  const message = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
      ...(usage.reasoning ? { thoughtsTokenCount: usage.reasoning } : {}),
      totalTokenCount: usage.input + usage.output,
      cachedContentTokenCount: usage.read,
    },
    modelVersion: model,
    responseId: newId(),
  };
  if (path.includes(':stream')) return events(response, [message]);
  whole(response, message);
}
