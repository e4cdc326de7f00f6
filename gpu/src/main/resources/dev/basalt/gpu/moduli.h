// The numbers by which products of doubles become products of 8-bit integers: see dev.basalt.spi.Moduli, which computes what stands here, and a test
// holds both together. M(index, number, large, medium, small): the integer that is 1 modulo the number and 0 modulo the others, in parts that add up to
// it; the product of all numbers in such parts.
#ifndef MODULI_H
#define MODULI_H

#define BASALT_MODULI_15(M) \
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
#define BASALT_PRODUCT_15(M) M(0x1.60cf4f078p+117, -0x1.e53d431c2dp+82, -0x1.34ca2f0fp+40)
#define BASALT_MODULI_16(M) \
    M(0, 256, 0x1.829e2c91ecp+122, 0x1.8466c1b0efp+82, 0x1.bfda23d301p+40) \
    M(1, 255, 0x1.94a67dcf24p+122, -0x1.489deed50ep+81, 0x1.4054c661p+40) \
    M(2, 253, 0x1.3c4a8bd828p+124, -0x1.6ea2ee3178p+81, 0x1.492a9708p+40) \
    M(3, 251, 0x1.1d4099b662p+123, -0x1.1edaa8705cp+80, 0x1.abd7e068p+39) \
    M(4, 247, 0x1.f4e1a69187p+124, -0x1.7b542d218p+82, -0x1.4c6d231dp+40) \
    M(5, 239, 0x1.3d325964ecp+123, 0x1.62a74130fep+81, -0x1.df037aep+38) \
    M(6, 233, 0x1.ab0a95547p+124, 0x1.d5c737b2c8p+82, -0x1.6cacaa94p+38) \
    M(7, 229, 0x1.c730eac3d6p+123, -0x1.31992dccd9p+82, -0x1.26485eep+35) \
    M(8, 227, 0x1.baf798ec7ep+124, 0x1.5f4c945c1bp+82, 0x1.d9f03a9bp+40) \
    M(9, 223, 0x1.9f803306bp+124, 0x1.619c286e3cp+81, 0x1.e6d7376p+39) \
    M(10, 217, 0x1.9c6ecdbab9p+124, -0x1.cbd5d0c605p+82, 0x1.c313d966p+40) \
    M(11, 211, 0x1.3f5e3c9e4p+119, -0x1.101a470d9p+81, -0x1.b6a6b1acp+40) \
    M(12, 199, 0x1.284c55817p+124, -0x1.250fb7cfcep+82, -0x1.f22a6f1p+40) \
    M(13, 197, 0x1.66193d1b4p+124, 0x1.e768a7b68p+78, -0x1.4bff12dcp+39) \
    M(14, 193, 0x1.2ec8215328p+124, -0x1.a28df4e582p+81, -0x1.1a57b9ffp+40) \
    M(15, 191, 0x1.60cf4f078p+117, -0x1.e53d431c2dp+82, -0x1.34ca2f0fp+40)
#define BASALT_PRODUCT_16(M) M(0x1.073aabf66bp+125, 0x1.f74aedfa33p+82, 0x1.9d26e3cfp+40)

#endif
