package dev.basalt.gpu;

/**
 * What a device lends to {@link Launcher}: its way of starting a compiled kernel.
 *
 * @param <C> what the device launches on: its stream and what belongs to it
 */
public interface Functions<C> {
    /**
     * Starts a kernel in stream order. The arguments have been copied when this returns.
     *
     * @param function which kernel
     * @param gridX blocks in x, up to 2³¹ - 1
     * @param gridY blocks in y, up to 65535
     * @param gridZ blocks in z, up to 65535
     * @param threads threads of a block, all in x
     * @param shared bytes of dynamic shared memory, at most {@link KernelFunction#shared}
     * @param arguments address of {@link Arguments#BYTES} bytes of host memory, the kernel's only parameter
     * @param channel where
     */
    void launch(KernelFunction function, int gridX, int gridY, int gridZ, int threads, int shared, long arguments,
            C channel);
}
