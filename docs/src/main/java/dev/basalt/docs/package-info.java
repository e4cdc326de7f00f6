/** Makes the site of documents: Markdown in, HTML out that works from disk. */
package dev.basalt.docs;
