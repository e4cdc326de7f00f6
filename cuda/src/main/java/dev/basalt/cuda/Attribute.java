package dev.basalt.cuda;

/** The device attributes that are asked for, with the numbers of {@code CUdevice_attribute}. */
enum Attribute {
    MAX_PITCH(11),
    MULTIPROCESSOR_COUNT(16),
    COMPUTE_CAPABILITY_MAJOR(75),
    COMPUTE_CAPABILITY_MINOR(76),
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN(97),
    VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED(102),
    MEMORY_POOLS_SUPPORTED(115);

    final int number;

    Attribute(int number) {
        this.number = number;
    }
}
