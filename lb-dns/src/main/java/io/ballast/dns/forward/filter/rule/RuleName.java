package io.ballast.dns.forward.filter.rule;

import io.ballast.dns.wire.Wire;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts names in rules to the form of names in queries: letters, digits, hyphens and underscores.
 * Non-ASCII letters are converted to punycode (IDNA 2003), except for four characters that newer standards
 * convert differently (UTS 46).
 */
public final class RuleName {

    public static final String EXPECTED_FORM =
            "a name of letters, digits, - and _, with at most 63 bytes a label and 253 in all; ß, ς and joiners in punycode (xn--...)";

    /** Sharp s, final sigma and joiners: each maps to different names under IDNA 2003 and in browsers. */
    private static final String DEVIATION_CHARACTERS = "\u00DF\u1E9E\u03C2\u200C\u200D";

    /** Additional bytes in wire format: the length byte of the first label, and the root label. */
    private static final int WIRE_OVERHEAD_BYTES = 2;

    private RuleName() {}

    /** Returns the name in lower case without its final dot; null if it is invalid, or numeric like an address. */
    public static @Nullable String parse(String text) {
        return isAscii(text) ? parseAscii(text) : parseUnicode(text);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '\u007F') {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String parseUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (DEVIATION_CHARACTERS.indexOf(text.charAt(i)) >= 0) {
                return null;
            }
        }
        try {
            return parseAscii(IDN.toASCII(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String parseAscii(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (name.isEmpty() || name.length() > Wire.MAX_NAME_BYTES - WIRE_OVERHEAD_BYTES) {
            return null;
        }
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.') {
                if (label == 0) {
                    return null;
                }
                label = 0;
                continue;
            }
            label++;
            boolean known =
                    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || (c >= 'A' && c <= 'Z');
            if (!known || label > Wire.MAX_LABEL_BYTES) {
                return null;
            }
        }
        return label == 0 || endsInNumber(name) ? null : name.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns whether a name ends in a number. Such a text is an address, because no top-level domain is numeric.
     */
    private static boolean endsInNumber(String name) {
        for (int i = name.length() - 1; i >= 0 && name.charAt(i) != '.'; i--) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** Returns the length of a parsed name in wire format. */
    static int wireLength(String name) {
        return name.length() + WIRE_OVERHEAD_BYTES;
    }

    /** Writes a parsed name in wire format. */
    static void write(String name, byte[] target, int at) {
        int start = 0;
        int to = at;
        while (start < name.length()) {
            int dot = name.indexOf('.', start);
            int end = dot < 0 ? name.length() : dot;
            target[to++] = (byte) (end - start);
            for (int i = start; i < end; i++) {
                target[to++] = (byte) name.charAt(i);
            }
            start = end + 1;
        }
        target[to] = 0;
    }

    public static byte[] toWireFormat(String name) {
        byte[] wire = new byte[wireLength(name)];
        write(name, wire, 0);
        return wire;
    }

    /** Returns the text of a name in wire format, without its last dot. Bytes of labels are not escaped. */
    public static String toText(byte[] wire, int at, int length) {
        byte[] text = new byte[Math.max(0, length - WIRE_OVERHEAD_BYTES)];
        int label = at;
        for (int i = 0; i < text.length; i++) {
            boolean isLength = at + i + 1 == label + 1 + Wire.u8(wire, label);
            if (isLength) {
                label = at + i + 1;
            }
            text[i] = isLength ? (byte) '.' : wire[at + i + 1];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
