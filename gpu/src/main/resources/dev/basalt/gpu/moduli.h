// The numbers by which products of doubles become products of 8-bit integers: see dev.basalt.spi.Moduli, which computes what stands here, and a test
// holds both together. M(index, number, large, medium, small): the integer that is 1 modulo the number and 0 modulo the others, in parts that add up to
// it; the product of all numbers in such parts.
#ifndef MODULI_H
#define MODULI_H

#define BASALT_MODULI(M) \
    M(0, 256, 0x1.76dc43f8p+113, -0x1.21c88ba6f8p+79, -0x1.102da3ffep+35) \
    M(1, 255, 0x1.ef5139bep+116, -0x1.9ec61dd0ap+80, 0x1.5986c8fap+39) \
    M(2, 253, 0x1.08f4bad8p+117, -0x1.441329191ep+81, -0x1.34cc744ap+40) \
    M(3, 251, 0x1.06d9af26p+117, 0x1.8df6d203cp+80, -0x1.a5ccafcfp+40) \
    M(4, 247, 0x1.fc80d141p+116, 0x1.98fc45ca87p+82, 0x1.0686227ep+40) \
    M(5, 239, 0x1.7cdb813ap+116, 0x1.77ef23bd2ap+81, 0x1.250e6e7cp+38) \
    M(6, 233, 0x1.48951fd98p+117, 0x1.bca196a608p+82, 0x1.66752461p+40) \
    M(7, 229, 0x1.93a6c144p+116, -0x1.c3f9aec656p+82, -0x1.206f3029p+40) \
    M(8, 227, 0x1.f476236ap+116, 0x1.4b2d0bf0d8p+81, -0x1.27b25c05p+40) \
    M(9, 223, 0x1.06a135168p+117, 0x1.02b366b9a9p+82, 0x1.e1e32e7ap+40) \
    M(10, 217, 0x1.bd7bbc44p+116, 0x1.41a47d40b2p+81, 0x1.7cc13d21p+40) \
    M(11, 211, 0x1.b6160ac6p+116, 0x1.27aaa5cdbfp+82, 0x1.e7b7db81p+40) \
    M(12, 199, 0x1.5f09715dp+116, 0x1.ab8b54f721p+82, -0x1.c3518796p+39) \
    M(13, 197, 0x1.4427baf7p+117, 0x1.44aab75c78p+81, -0x1.0c1dd2dfp+40) \
    M(14, 193, 0x1.2bcc037cp+117, 0x1.c9ce988c89p+82, -0x1.a041b09cp+40)
#define BASALT_PRODUCT_OF_MODULI(M) M(0x1.60cf4f078p+117, -0x1.e53d431c2dp+82, -0x1.34ca2f0fp+40)

#endif
