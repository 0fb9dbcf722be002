package io.ballast.net.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One block of a PEM file (<a href="https://datatracker.ietf.org/doc/html/rfc7468">RFC 7468</a>). */
final class PemBlock {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private final String label;
    private final byte[] bytes;

    private PemBlock(String label, byte[] bytes) {
        this.label = label;
        this.bytes = bytes;
    }

    /** The label, such as {@code CERTIFICATE}. */
    String label() {
        return label;
    }

    /** The DER content. */
    byte[] bytes() {
        return bytes;
    }

    /**
     * Parses the blocks of a text in their order; text between them is ignored.
     *
     * @throws IllegalArgumentException if a block is malformed
     */
    static List<PemBlock> read(String text) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        int started = 0;
        while (matcher.find()) {
            blocks.add(new PemBlock(matcher.group(1), decode(matcher.group(2))));
        }
        for (int at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
            started++;
        }
        if (started != blocks.size()) {
            throw new IllegalArgumentException("a block that begins with -----BEGIN has no matching -----END");
        }
        return blocks;
    }

    private static byte[] decode(String body) {
        if (body.indexOf(':') >= 0) {
            throw new IllegalArgumentException("the key is encrypted (expected: a key without a passphrase)");
        }
        return Base64.getDecoder().decode(body.replaceAll("\\s", ""));
    }
}
