package io.ballast.net.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads a file with a DER-encoded OCSP response about a certificate (<a
 * href="https://datatracker.ietf.org/doc/html/rfc6960#section-4.2.1">RFC 6960 section 4.2.1</a>).
 */
final class OcspFile {

    /** The encoding of a responseStatus (ENUMERATED) of 0, which means successful. */
    private static final byte[] SUCCESSFUL = {0x0a, 1, 0};

    private static final int LONG_FORM = 0x80;

    private OcspFile() {}

    /**
     * Reads the response.
     *
     * @throws IOException if the file cannot be read, or contains no successful response; the message names it
     */
    static byte[] read(Path file) throws IOException {
        byte[] response = CertificateFile.bytes(file);
        int content = response.length < 2 ? 0 : contentStart(response[1] & 0xff);
        boolean sequence = content > 0 && (response[0] & 0xff) == Der.SEQUENCE;
        int statusEnd = content + SUCCESSFUL.length;
        if (!sequence
                || statusEnd > response.length
                || !Arrays.equals(response, content, statusEnd, SUCCESSFUL, 0, SUCCESSFUL.length)) {
            throw new IOException(
                    file + ": no successful OCSP response (expected: a DER file as written by openssl ocsp -respout)");
        }
        return response;
    }

    private static int contentStart(int firstLength) {
        return 2 + (firstLength < LONG_FORM ? 0 : firstLength - LONG_FORM);
    }
}
