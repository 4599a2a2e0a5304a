// Copyright The ctx-lsp authors. MIT licence.

// OpenAI's models see tools as types of TypeScript, which are shorter than the JSON of the request.

/** Returns the text of one function. */
export function typescript({ name, description, parameters }) {
  const comment = (text, indent) =>
    text
      ? `${text
          .split('\n')
          .map((line) => `${indent}// ${line}`)
          .join('\n')}\n`
      : '';
  const properties = Object.entries(parameters?.properties ?? {});
  if (properties.length === 0) return `${comment(description, '')}type ${name} = () => any;\n\n`;
  return `${comment(description, '')}type ${name} = (_: {\n${members(parameters, '', comment)}}) => any;\n\n`;
}

function members(schema, indent, comment) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .map(([name, of]) => {
      const value = of.default === undefined ? '' : ` // default: ${JSON.stringify(of.default)}`;
      return `${comment(of.description, indent)}${indent}${name}${required.has(name) ? '' : '?'}: ${type(of, indent, comment)},${value}\n`;
    })
    .join('');
}

function type(schema, indent, comment) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => type(each, indent, comment)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return `${type(schema.items ?? {}, indent, comment)}[]`;
  if (schema.type === 'object' && schema.properties) return `{\n${members(schema, `${indent}  `, comment)}${indent}}`;
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'any');
}
