/** The CPU device: memory, inline streams, worker threads and a ladder of engines that supply its kernels. */
package dev.basalt.host;
