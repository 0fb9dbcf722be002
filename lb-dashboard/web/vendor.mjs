// All names that the page's modules may import, in one file. The bundler omits the unused code of these libraries.
export { render } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
export { signal } from '@preact/signals';
import { h } from 'preact';
import htm from 'htm';
export { default as uPlot } from 'uplot';

export const html = htm.bind(h);
