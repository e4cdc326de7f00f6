package dev.basalt.spi;

/**
 * One opened device: memory, streams, events, copies and kernels. Streams, events and pools are {@code long} numbers;
 * stream 0 is the default stream and always exists. Everything may throw {@link DriverException}, and a call that throws has
 * changed nothing.
 *
 * <p>All methods may be called from any thread. Where two threads feed one stream, each call goes in as a whole; which comes first is theirs to order.
 */
public interface DeviceDriver extends AutoCloseable {
    /**
     * The device's name.
     *
     * @return such as {@code host}
     */
    String name();

    /**
     * One line for people.
     *
     * @return model, memory, engine
     */
    String description();

    /**
     * The facts that formulas depend on; the same object for the life of the driver.
     *
     * @return traits
     */
    DeviceTraits traits();

    /**
     * Bytes free on the device now.
     *
     * @return bytes
     */
    long freeMemory();

    /**
     * Bytes the device has in all.
     *
     * @return bytes
     */
    long totalMemory();

    /**
     * What devices that share one memory have in common: before one of them is refused memory, idle handles of all of them give
     * back what they have never used.
     *
     * @return any object; this driver, unless it says otherwise
     */
    default Object memory() {
        return this;
    }

    /**
     * Allocates memory, aligned to {@link DeviceTraits#alignment}; its content is undefined.
     *
     * @param bytes how many, > 0
     * @return address
     */
    long allocate(long bytes);

    /**
     * Frees what {@link #allocate} gave. May wait for all work on the device.
     *
     * @param address the address
     */
    void free(long address);

    /**
     * What speaks against using somebody else's memory as this device's.
     *
     * @param address its first address
     * @param bytes its size, > 0
     * @return what the memory is instead, for people; null if nothing speaks against it or the device cannot tell
     */
    default String objection(long address, long bytes) {
        return null;
    }

    /**
     * Allocates host memory from and to which copies are as fast as the device can: pinned on a GPU. Making it is slow there.
     *
     * @param bytes how many, > 0
     * @return host address
     */
    default long allocateHost(long bytes) {
        return SystemMemory.allocate(bytes, 64);
    }

    /**
     * Frees what {@link #allocateHost} gave, behind the copies that use it.
     *
     * @param address the address
     */
    default void freeHost(long address) {
        SystemMemory.free(address);
    }

    /**
     * Creates a private pool for stream-ordered allocation that keeps what is freed.
     *
     * @return pool
     */
    long createPool();

    /**
     * Destroys a pool behind the work that uses its memory.
     *
     * @param pool the pool
     */
    void destroyPool(long pool);

    /**
     * Gives a pool's unused memory back to the device.
     *
     * @param pool the pool
     * @param keep bytes it may keep
     */
    void trimPool(long pool, long keep);

    /**
     * Allocates in stream order: the memory may be used by work issued on the stream from now on.
     *
     * @param pool the pool
     * @param bytes how many, > 0
     * @param stream the stream
     * @return address, aligned as {@link #allocate}
     */
    long allocateAsync(long pool, long bytes, long stream);

    /**
     * Frees in stream order: behind the work issued on the stream until now.
     *
     * @param address what {@link #allocateAsync} gave
     * @param stream the stream
     */
    void freeAsync(long address, long stream);

    /**
     * Reserves an address range without memory behind it; only with {@link DeviceTraits#virtualMemory}.
     *
     * @param bytes how many
     * @return address
     */
    long reserve(long bytes);

    /**
     * Puts memory behind the first bytes of a reserved range; what was there before stays, in place.
     *
     * @param address what {@link #reserve} gave
     * @param from bytes that are there already
     * @param to bytes that shall be there; rounded up by the driver as it must
     * @return bytes that are there now, at least {@code to}
     */
    long commit(long address, long from, long to);

    /**
     * Gives back a reserved range and the memory behind it. The caller has made sure that no work uses it.
     *
     * @param address what {@link #reserve} gave
     */
    void release(long address);

    /**
     * Creates a stream that is not ordered with any other.
     *
     * @return stream
     */
    long createStream();

    /**
     * Takes a stream that somebody else made through the vendor's interface, such as a {@code CUstream}. It is used and never
     * destroyed here: {@link #destroyStream} ends the number alone.
     *
     * @param nativeStream the vendor's stream
     * @return stream
     * @throws DriverException NOT_SUPPORTED where there are no such streams
     */
    default long adoptStream(long nativeStream) {
        throw new DriverException(DriverException.Code.NOT_SUPPORTED,
                name() + " has no streams of another library to wrap");
    }

    /**
     * What the vendor's interface calls a stream, such as a {@code CUstream}.
     *
     * @param stream the stream
     * @return the vendor's stream
     * @throws DriverException NOT_SUPPORTED where there are no such streams
     */
    default long nativeStream(long stream) {
        throw new DriverException(DriverException.Code.NOT_SUPPORTED,
                name() + " has no streams that another library could use");
    }

    /**
     * Destroys a stream; work on it still completes.
     *
     * @param stream not 0
     */
    void destroyStream(long stream);

    /**
     * Waits for all work on a stream.
     *
     * @param stream the stream
     */
    void synchronizeStream(long stream);

    /** Waits for all work on the device. */
    void synchronize();

    /**
     * Creates an event, complete until first recorded.
     *
     * @return event
     */
    long createEvent();

    /**
     * Destroys an event.
     *
     * @param event the event
     */
    void destroyEvent(long event);

    /**
     * Records an event behind the work issued on a stream until now.
     *
     * @param event the event
     * @param stream the stream
     */
    void recordEvent(long event, long stream);

    /**
     * Makes later work on a stream wait for an event's last recording; the host does not wait.
     *
     * @param stream the stream
     * @param event the event
     */
    void waitEvent(long stream, long event);

    /**
     * Whether an event's last recording is complete.
     *
     * @param event the event
     * @return true if complete or never recorded
     */
    boolean queryEvent(long event);

    /**
     * Waits for an event's last recording.
     *
     * @param event the event
     */
    void synchronizeEvent(long event);

    /**
     * Copies a matrix of bytes from the host in stream order. The host memory must stay until the stream is past it.
     *
     * @param host host address
     * @param hostPitch bytes from column to column on the host
     * @param device device address
     * @param devicePitch bytes from column to column on the device
     * @param width bytes of a column
     * @param columns columns
     * @param stream the stream
     */
    void upload(long host, long hostPitch, long device, long devicePitch, long width, long columns, long stream);

    /**
     * Copies a matrix of bytes to the host in stream order. The host memory must stay until the stream is past it.
     *
     * @param device device address
     * @param devicePitch bytes from column to column on the device
     * @param host host address
     * @param hostPitch bytes from column to column on the host
     * @param width bytes of a column
     * @param columns columns
     * @param stream the stream
     */
    void download(long device, long devicePitch, long host, long hostPitch, long width, long columns, long stream);

    /**
     * Fills device memory with a byte in stream order.
     *
     * @param address device address
     * @param bytes how many
     * @param value the byte
     * @param stream the stream
     */
    void fill(long address, long bytes, byte value, long stream);

    /**
     * Runs a kernel in stream order. The driver copies what it needs of the launch before it returns.
     *
     * @param launch what to run; shapes and addresses have been checked
     * @param stream the stream
     */
    void launch(Launch launch, long stream);

    /**
     * Lets work run beside a stream: launches on the answer begin behind the work issued on the stream until now, and are not ordered with what is issued on it
     * later, until {@link #join}. The device may run them sooner than the stream's own. In a capture they are recorded with the stream's.
     *
     * @param stream the stream
     * @return a stream of the device's for launches alone, the same for each call; the stream itself where nothing runs beside another, or where there is no room for one more
     */
    default long fork(long stream) {
        return stream;
    }

    /**
     * Makes later work on a stream wait for all that was launched beside it; the host does not wait.
     *
     * @param stream the stream
     * @param beside what {@link #fork} answered
     */
    default void join(long stream, long beside) {}

    /**
     * Begins to record the work issued on a stream instead of running it.
     *
     * @param stream not 0
     */
    void beginCapture(long stream);

    /**
     * Whether a stream records.
     *
     * @param stream the stream
     * @return true between {@link #beginCapture} and {@link #endCapture}
     */
    boolean isCapturing(long stream);

    /**
     * Ends recording.
     *
     * @param stream the stream
     * @return a graph that {@link #launchGraph} replays
     */
    long endCapture(long stream);

    /**
     * Replays a graph in stream order.
     *
     * @param graph the graph
     * @param stream the stream
     */
    void launchGraph(long graph, long stream);

    /**
     * Destroys a graph behind the replays that run.
     *
     * @param graph the graph
     */
    void destroyGraph(long graph);

    /**
     * The vendor's memory checker, if this process runs under it.
     *
     * @return null if there is none
     */
    default Sanitizer sanitizer() {
        return null;
    }

    /** Closes the device. The caller has freed everything and waited for all work. */
    @Override
    void close();
}
