import { Anchor } from '@mantine/core';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { withoutFrontMatter } from './front-matter.ts';
import classes from './Markdown.module.css';

/** Somebody else's headings stand below the page's own, and their pictures would tell other servers who reads. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => (
    <Anchor inherit underline="always" href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </Anchor>
  ),
  img: ({ src, alt }) => (
    <Anchor inherit underline="always" href={typeof src === 'string' ? src : ''} target="_blank" rel="noreferrer noopener">
      {alt === undefined || alt === '' ? 'picture' : alt}
    </Anchor>
  ),
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
    <div className={classes['wide']} role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
    <pre tabIndex={0}>{children}</pre>
  ),
};

/** Text that somebody wrote in Markdown. HTML in it is shown as text, and only links to web pages and mail are links. */
export function Markdown({ text }: { text: string }): React.JSX.Element {
  return (
    <div className={classes['text']}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {withoutFrontMatter(text)}
      </ReactMarkdown>
    </div>
  );
}
