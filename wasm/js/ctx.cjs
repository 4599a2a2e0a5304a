// Copyright The ctx-lsp authors. MIT licence.

// The same for require(). Loading is asynchronous anyway, so the module itself is imported then.
'use strict';

const loader = () => import('./ctx.js');

exports.load = async (source, options) => (await loader()).load(source, options);

/** Stands in for the class that the loader throws, which does not exist before something is loaded. */
exports.CtxError = class CtxError extends Error {
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === 'CtxError';
  }
};
