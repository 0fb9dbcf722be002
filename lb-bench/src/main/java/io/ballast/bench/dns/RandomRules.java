package io.ballast.bench.dns;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Generates a filter list of any length, and names that the list blocks or does not block. Names have 2 to 4
 * labels and 18 bytes on average.
 */
final class RandomRules {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final String[] TOPS = {"com", "net", "org", "example", "info", "io"};

    private RandomRules() {}

    /** Returns the name for an index; the same index always gives the same name. */
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

    /** Returns a list of {@code rules} rules in Adblock syntax. */
    static byte[] list(int rules) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (int i = 0; i < rules; i++) {
            list.writeBytes(("||" + name(i) + "^\n").getBytes(StandardCharsets.US_ASCII));
        }
        return list.toByteArray();
    }

    /** Returns a name in wire format. */
    static byte[] wire(String name) {
        byte[] wire = new byte[name.length() + 2];
        int at = 0;
        for (String label : name.split("\\.")) {
            wire[at++] = (byte) label.length();
            byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, wire, at, bytes.length);
            at += bytes.length;
        }
        return wire;
    }
}
