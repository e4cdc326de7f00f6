package dev.basalt.spi;

import dev.basalt.type.ElementType;

/**
 * A scalar argument of a kernel: a value on the host, or the address of one in device memory that is read when the
 * kernel runs. Mutable, so that a call frame can keep one and reuse it for every call.
 */
public final class Scalar {
    private double re;
    private double im;
    private long address;
    private ElementType type = ElementType.F64;
    private boolean gate;
    private double gateValue;

    /** A scalar with the value 0. */
    public Scalar() {}

    /**
     * Makes this a host value.
     *
     * @param realPart real part
     * @param imaginaryPart imaginary part
     */
    public void set(double realPart, double imaginaryPart) {
        re = realPart;
        im = imaginaryPart;
        address = 0;
        gate = false;
    }

    /**
     * Makes this a scalar in device memory.
     *
     * @param deviceAddress where the scalar lies
     * @param elementType its type
     */
    public void device(long deviceAddress, ElementType elementType) {
        address = deviceAddress;
        if (type != elementType) {
            type = elementType;
        }
        gate = false;
    }

    /**
     * Makes this a copy.
     *
     * @param other what to copy
     */
    public void set(Scalar other) {
        re = other.re;
        im = other.im;
        address = other.address;
        if (type != other.type) {
            type = other.type;
        }
        gate = other.gate;
        gateValue = other.gateValue;
    }

    /**
     * Makes this {@code value} where {@code other} is not zero, and zero where it is. A composite routine uses it where
     * BLAS promises that alpha = 0 reads no matrix, although alpha is only known on the device.
     *
     * @param other the scalar that decides
     * @param value what this is worth if {@code other} is not zero
     */
    public void whereNonZero(Scalar other, double value) {
        set(other);
        if (address == 0) {
            set(re != 0 || im != 0 ? value : 0, 0);
        } else {
            gate = true;
            gateValue = value;
        }
    }

    /**
     * Whether the value is known only on the device.
     *
     * @return true for a scalar in device memory
     */
    public boolean onDevice() {
        return address != 0;
    }

    /**
     * Where the scalar lies.
     *
     * @return device address, 0 for a host value
     */
    public long address() {
        return address;
    }

    /**
     * The type of a scalar in device memory.
     *
     * @return element type; meaningless for a host value
     */
    public ElementType type() {
        return type;
    }

    /**
     * Whether {@link #gateValue} stands in wherever the value on the device is not zero.
     *
     * @return true after {@link #whereNonZero} with a scalar on the device
     */
    public boolean gated() {
        return gate;
    }

    /**
     * The value that stands in.
     *
     * @return see {@link #gated}
     */
    public double gateValue() {
        return gateValue;
    }

    /**
     * Whether this is a host value equal to a real number. False for a scalar in device memory, whatever it holds.
     *
     * @param value real number
     * @return true if known to be equal
     */
    public boolean is(double value) {
        return address == 0 && re == value && im == 0;
    }

    /**
     * The real part; reads memory, so for devices whose memory the CPU can reach, when the kernel runs.
     *
     * @return real part
     */
    public double re() {
        if (address == 0) {
            return re;
        }
        if (gate) {
            return loadRe() != 0 || loadIm() != 0 ? gateValue : 0;
        }
        return loadRe();
    }

    /**
     * The imaginary part; as {@link #re}.
     *
     * @return imaginary part
     */
    public double im() {
        if (address == 0) {
            return im;
        }
        return gate ? 0 : loadIm();
    }

    private double loadRe() {
        return type == ElementType.F64 || type == ElementType.C64
                ? Memory.f64(address)
                : Conversion.load(type, address);
    }

    private double loadIm() {
        return type == ElementType.C64 ? Memory.f64(address + 8)
                : type == ElementType.C32 ? Memory.f32(address + 4)
                : 0;
    }

    @Override
    public String toString() {
        return address != 0 ? "device 0x" + Long.toHexString(address) : im == 0 ? "" + re : re + "+" + im + "i";
    }
}
