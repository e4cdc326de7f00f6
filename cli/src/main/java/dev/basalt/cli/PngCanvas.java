package dev.basalt.cli;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** A PNG of twice as many pixels each way, for displays of today, in light colours. */
final class PngCanvas implements Canvas {
    private static final int SCALE = 2;

    private final BufferedImage image;
    private final Graphics2D pen;

    PngCanvas(int width, int height) {
        // Nothing here needs a display, and a machine without one must not be asked for it.
        System.setProperty("java.awt.headless", "true");
        image = new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
        pen = image.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        pen.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        pen.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        pen.scale(SCALE, SCALE);
        ink(Ink.PAPER);
        pen.fillRect(0, 0, width, height);
    }

    private void ink(Ink ink) {
        pen.setColor(new Color(ink.light()));
    }

    private static Path2D path(double[] x, double[] y) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i < x.length; i++) {
            if (i == 0) {
                path.moveTo(x[i], y[i]);
            } else {
                path.lineTo(x[i], y[i]);
            }
        }
        return path;
    }

    @Override
    public void line(double[] x, double[] y, Ink ink, double width, float... dashes) {
        ink(ink);
        pen.setStroke(new BasicStroke((float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1,
                dashes.length == 0 ? null : dashes, 0));
        pen.draw(path(x, y));
    }

    @Override
    public void fill(double[] x, double[] y, Ink ink) {
        ink(ink);
        Path2D path = path(x, y);
        path.closePath();
        pen.fill(path);
    }

    @Override
    public void disc(double x, double y, double radius, Ink ink) {
        ink(ink);
        pen.fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
    }

    @Override
    public void text(double x, double y, String text, Anchor anchor, int size, boolean bold, boolean turned, Ink ink) {
        ink(ink);
        pen.setFont(new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, size));
        double width = pen.getFontMetrics().stringWidth(text);
        double left = switch (anchor) {
            case START -> 0;
            case MIDDLE -> -width / 2;
            case END -> -width;
        };
        AffineTransform before = pen.getTransform();
        pen.translate(x, y);
        if (turned) {
            pen.rotate(-Math.PI / 2);
        }
        pen.drawString(text, (float) left, 0);
        pen.setTransform(before);
    }

    @Override
    public byte[] content() {
        pen.dispose();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, "png", content)) {
                throw new Failure("this Java cannot write PNG; use a name that ends in .svg");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return content.toByteArray();
    }
}
