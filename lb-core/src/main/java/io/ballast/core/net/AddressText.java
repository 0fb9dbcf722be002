package io.ballast.core.net;

/** Parses and prints the text forms of IP addresses. */
final class AddressText {

    static final String EXPECTED = "an IPv4 or IPv6 address such as 192.0.2.1 or 2001:db8::1";

    private static final byte[] NONE = {};

    private AddressText() {}

    /** Returns the 4 or 16 bytes of the address; an empty array if the text is not an address. */
    static byte[] parse(String text) {
        return text.indexOf(':') < 0 ? parseIpv4(text) : parseIpv6(text);
    }

    /** Parses four decimal numbers. Leading zeros are rejected, because some systems interpret them as octal. */
    private static byte[] parseIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        byte[] bytes = new byte[4];
        if (parts.length != 4) {
            return NONE;
        }
        for (int i = 0; i < 4; i++) {
            int value = number(parts[i], /* radix= */ 10, /* digits= */ 3);
            if (value < 0 || value > 255 || (parts[i].length() > 1 && parts[i].charAt(0) == '0')) {
                return NONE;
            }
            bytes[i] = (byte) value;
        }
        return bytes;
    }

    /**
     * Parses eight groups. {@code ::} may occur once, for one or more zero groups; the last two groups may be an
     * IPv4 address.
     */
    private static byte[] parseIpv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            byte[] bytes = groups(text, /* mayEndInIpv4= */ true);
            return bytes.length == 16 ? bytes : NONE;
        }
        String before = text.substring(0, gap);
        String after = text.substring(gap + 2);
        byte[] head = groups(before, /* mayEndInIpv4= */ false);
        byte[] tail = groups(after, /* mayEndInIpv4= */ true);
        boolean readable = (head.length > 0 || before.isEmpty()) && (tail.length > 0 || after.isEmpty());
        if (!readable || head.length + tail.length > 14) {
            return NONE;
        }
        byte[] bytes = new byte[16];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(tail, 0, bytes, 16 - tail.length, tail.length);
        return bytes;
    }

    private static byte[] groups(String text, boolean mayEndInIpv4) {
        if (text.isEmpty()) {
            return NONE;
        }
        String[] parts = text.split(":", -1);
        int last = parts.length - 1;
        byte[] ipv4 = mayEndInIpv4 ? parseIpv4(parts[last]) : NONE;
        int plain = ipv4.length > 0 ? last : parts.length;
        byte[] bytes = new byte[2 * plain + ipv4.length];
        for (int i = 0; i < plain; i++) {
            int value = number(parts[i], /* radix= */ 16, /* digits= */ 4);
            if (value < 0) {
                return NONE;
            }
            bytes[2 * i] = (byte) (value >>> 8);
            bytes[2 * i + 1] = (byte) value;
        }
        System.arraycopy(ipv4, 0, bytes, 2 * plain, ipv4.length);
        return bytes;
    }

    /** Parses a number; returns a negative value if the text is empty, too long or contains other characters. */
    private static int number(String text, int radix, int digits) {
        int value = text.isEmpty() || text.length() > digits ? -1 : 0;
        for (int i = 0; i < text.length() && value >= 0; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            value = digit < 0 ? -1 : value * radix + digit;
        }
        return value;
    }

    static String ofIpv4(int bits) {
        return (bits >>> 24) + "." + (bits >>> 16 & 0xFF) + "." + (bits >>> 8 & 0xFF) + "." + (bits & 0xFF);
    }

    /**
     * Returns the RFC 5952 form: lower case; the first of the longest runs of two or more zero groups is
     * shortened.
     */
    static String ofIpv6(long high, long low) {
        int gap = -1;
        int gapLength = 1;
        for (int i = 0; i < 8; i++) {
            int zeros = i;
            while (zeros < 8 && group(high, low, zeros) == 0) {
                zeros++;
            }
            if (zeros - i > gapLength) {
                gap = i;
                gapLength = zeros - i;
            }
        }
        StringBuilder text = new StringBuilder(40);
        for (int i = 0; i < 8; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
            text.append(first ? "" : ":").append(Integer.toHexString(group(high, low, i)));
        }
        return text.toString();
    }

    private static int group(long high, long low, int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xFFFF;
    }
}
