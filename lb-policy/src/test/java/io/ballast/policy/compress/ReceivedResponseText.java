package io.ballast.policy.compress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * A whole response.
 *
 * @param head the header lines
 * @param body the body in ISO 8859-1, without the framing of the protocol
 */
record ReceivedResponseText(int status, List<String> head, String body, List<String> trailers) {

    /** Returns the values of the header with this name in lower case. */
    List<String> headers(String name) {
        return head.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .toList();
    }

    boolean isCompressed() {
        return headers("content-encoding").equals(List.of("gzip"));
    }

    /** Returns the body as a client shows it, without its content coding. */
    String text() {
        return isCompressed() ? decoded() : body;
    }

    /** Returns the body without its content coding. */
    String decoded() {
        String coding = headers("content-encoding").get(0);
        try (InputStream in = Decoders.of(coding, new ByteArrayInputStream(body.getBytes(ISO_8859_1)))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
