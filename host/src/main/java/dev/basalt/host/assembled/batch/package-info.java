/** Batches of small problems. */
package dev.basalt.host.assembled.batch;
