/**
 * BLAS and LAPACK for the JVM, on CPU and GPU, with workspace memory the user controls: the public API, the workspace and the device SPI.
 *
 * <p>A {@link dev.basalt.Device} runs routines, a {@link dev.basalt.Handle} holds the workspace that they borrow, a
 * {@link dev.basalt.DeviceArena} owns matrices and vectors. A plan says what calls need before they run, and what is reserved is not
 * allocated later. The package {@link dev.basalt} shows a whole program.
 *
 * <h2>Where to begin</h2>
 *
 * <ul>
 *   <li>{@link dev.basalt.Blas} and {@link dev.basalt.Lapack} have a method for each routine; the view says type, size and batch.
 *   <li>{@link dev.basalt.ClassicLapack} and its sisters have the names and the order of arguments of BLAS and LAPACK.
 *   <li>{@link dev.basalt.Plan}, {@link dev.basalt.Layout} and {@link dev.basalt.Workspace} are the workspace model.
 *   <li>{@link dev.basalt.spi} is for those who write a device.
 * </ul>
 *
 * <p>Java asks for one flag, {@code --enable-native-access=dev.basalt}, or {@code ALL-UNNAMED} on the class path.
 */
@SuppressWarnings("module") // the modules that the kernels are exported to are built after this one
module dev.basalt {
    requires java.management;
    requires jdk.jfr;

    exports dev.basalt;
    exports dev.basalt.arrays;
    exports dev.basalt.spi;
    exports dev.basalt.type;
    exports dev.basalt.foreign to dev.basalt.cli, dev.basalt.cuda, dev.basalt.host;
    exports dev.basalt.internal.call to dev.basalt.cli;
    exports dev.basalt.internal.signature to dev.basalt.cli;
    exports dev.basalt.portable to dev.basalt.gpu, dev.basalt.host, dev.basalt.sim;

    uses dev.basalt.portable.HeapSums;
    uses dev.basalt.spi.DeviceProvider;
}
