/** The ladder of engines, and which kernels each takes for what. */
package dev.basalt.host.engine;
