package dev.basalt.cli;

import java.util.Locale;

/** What a picture is drawn on, in pixels from the upper left corner. */
interface Canvas {
    /** Where a text stands beside its place. */
    enum Anchor {
        START, MIDDLE, END
    }

    /** Colours by what they are for: in light surroundings, and in dark ones. */
    enum Ink {
        PAPER(0xFFFFFF, 0x14171A),
        TEXT(0x222222, 0xE6E6E6),
        FAINT(0x666666, 0xA0A6AC),
        GRID(0xE2E2E2, 0x33383D),
        LIMIT(0x555555, 0xB0B0B0),
        // Curves: told apart with any kind of colour vision (Okabe and Ito, 2008), lighter on dark paper.
        BLUE(0x0072B2, 0x4DA6E0),
        RED(0xD55E00, 0xFF8A3C),
        GREEN(0x009E73, 0x2FCF9F),
        PINK(0xCC79A7, 0xE79FC6),
        SKY(0x56B4E9, 0x8FD0F5),
        AMBER(0xB8860B, 0xF0E442),
        BROWN(0x7A4B2A, 0xC79A78),
        BLACK(0x222222, 0xE6E6E6);

        private final int light;
        private final int dark;

        Ink(int light, int dark) {
            this.light = light;
            this.dark = dark;
        }

        int light() {
            return light;
        }

        int dark() {
            return dark;
        }

        /** A name for style sheets. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A line through points. */
    void line(double[] x, double[] y, Ink ink, double width, float... dashes);

    /** A filled polygon. */
    void fill(double[] x, double[] y, Ink ink);

    /** A filled circle. */
    void disc(double x, double y, double radius, Ink ink);

    /** A text; upwards if turned. */
    void text(double x, double y, String text, Anchor anchor, int size, boolean bold, boolean turned, Ink ink);

    /** The picture as a file's content. */
    byte[] content();
}
