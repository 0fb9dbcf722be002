package io.ballast.policy.forward;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.ForwardAuthConfig;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A valid answer of the authentication server. As a continuation, it lets the request pass or answers it. Immutable;
 * the arrays must not be modified.
 *
 * @param status from 200 to 599
 * @param requestLines the header lines that the backend receives
 * @param responseLines the header lines that the client receives
 * @param identity the name of the user; empty for none
 * @param contentType the media type of the body; empty for none
 * @param body the body; only sent if the answer is not a success
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and the arrays never leave the package
record AuthAnswer(
        int status, byte[] requestLines, byte[] responseLines, String identity, String contentType, byte[] body)
        implements Continuation {

    /** The maximum length of the header lines of an answer that are passed on, in bytes. */
    static final int MAX_LINES_BYTES = 32 * 1024;

    private static final byte[] NO_STORE = latin1("Cache-Control: no-store\r\n");
    private static final String SET_COOKIE = "Set-Cookie";
    private static final List<String> OF_SUCCESS = List.of(SET_COOKIE);
    private static final List<String> OF_REFUSAL = List.of("Location", SET_COOKIE, "WWW-Authenticate");
    private static final int MIN_STATUS = 200;
    private static final int MIN_REFUSAL = 300;
    private static final int MAX_STATUS = 599;

    /**
     * Returns the answer in a response.
     *
     * @throws IOException if the response cannot be passed on
     */
    static AuthAnswer of(HttpResponse<byte[]> response, ForwardAuthConfig config) throws IOException {
        int status = response.statusCode();
        if (status < MIN_STATUS || status > MAX_STATUS) {
            throw new IOException("status " + status + " (expected: 200..599)");
        }
        boolean success = status < MIN_REFUSAL;
        HttpHeaders headers = response.headers();
        if (headers.allValues("Content-Length").size() > 1) {
            throw new IOException("several Content-Length headers"); // the length is unknown (RFC 9112 section 6.3)
        }
        byte[] toBackend = lines(headers, success ? config.copyHeaders() : List.of());
        byte[] toClient = lines(headers, success ? OF_SUCCESS : OF_REFUSAL);
        if (toBackend.length + toClient.length > MAX_LINES_BYTES) {
            throw new IOException("more than " + MAX_LINES_BYTES + " bytes of headers to pass on");
        }
        String identity = config.identityHeader()
                .filter(name -> success)
                .flatMap(headers::firstValue)
                .orElse("");
        return new AuthAnswer(
                status,
                toBackend,
                toClient,
                valid("identity_header", identity),
                valid("Content-Type", headers.firstValue("Content-Type").orElse("")),
                success ? new byte[0] : response.body());
    }

    private static byte[] lines(HttpHeaders headers, List<String> names) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String name : names) {
            for (String value : headers.allValues(name)) {
                lines.append(name).append(": ").append(valid(name, value)).append("\r\n");
            }
        }
        return latin1(lines.toString());
    }

    /** Returns the value; rejects a value that could end its header line. */
    private static String valid(String name, String value) throws IOException {
        boolean isValid = value.chars().allMatch(c -> (c >= ' ' && c <= 0xff && c != 0x7f) || c == '\t');
        if (!isValid) {
            throw new IOException("control character in the header " + name);
        }
        return value;
    }

    /**
     * Returns the characters of a header line as bytes. Header lines have no character encoding, so each character is a
     * byte.
     */
    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public PolicyDecision decide(PolicyExchange exchange, int step) {
        exchange.responseLines().append(responseLines);
        if (status >= MIN_REFUSAL) {
            exchange.defaultLines().append(NO_STORE); // a cached redirect must not outlive the login
            return new DirectResponse(status, "forward_auth", contentType, body);
        }
        exchange.requestLines().append(requestLines);
        if (!identity.isEmpty()) {
            exchange.setIdentity(new Identity(identity));
        }
        return PolicyDecision.PASS;
    }
}
