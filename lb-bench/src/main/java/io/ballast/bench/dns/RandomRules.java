package io.ballast.bench.dns;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** A list as long as one likes, and names that it blocks and does not: names of 2 to 4 labels, 18 octets on average. */
final class RandomRules {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final String[] TOPS = {"com", "net", "org", "example", "info", "io"};

    private RandomRules() {}

    /** The name of an index, always the same. */
    static String name(int index) {
        SplittableRandom random = new SplittableRandom(index);
        StringBuilder name = new StringBuilder();
        int labels = 1 + random.nextInt(3);
        for (int i = 0; i < labels; i++) {
            int length = 3 + random.nextInt(9);
            for (int j = 0; j < length; j++) {
                name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            name.append('.');
        }
        return name.append(TOPS[random.nextInt(TOPS.length)]).toString();
    }

    /** So many lines of Adblock's style. */
    static byte[] list(int rules) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (int i = 0; i < rules; i++) {
            list.writeBytes(("||" + name(i) + "^\n").getBytes(StandardCharsets.US_ASCII));
        }
        return list.toByteArray();
    }

    /** A name in wire format. */
    static byte[] wire(String name) {
        byte[] wire = new byte[name.length() + 2];
        int at = 0;
        for (String label : name.split("\\.")) {
            wire[at++] = (byte) label.length();
            byte[] octets = label.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(octets, 0, wire, at, octets.length);
            at += octets.length;
        }
        return wire;
    }
}
