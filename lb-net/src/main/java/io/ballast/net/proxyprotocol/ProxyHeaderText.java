package io.ballast.net.proxyprotocol;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Version 1 of the PROXY protocol: one line of text. */
final class ProxyHeaderText {

    /** Maximum length in bytes of a header line, including its line end (PROXY protocol specification). */
    private static final int MAX_BYTES = 107;

    private static final String NAME = "PROXY header";
    private static final String BEGIN = "PROXY ";
    private static final Pattern PORT = Pattern.compile("0|[1-9][0-9]{0,4}");
    private static final int MAX_PORT = 65_535;

    private ProxyHeaderText() {}

    static @Nullable ProxyHeader read(byte[] bytes, int length) {
        int end = lineEnd(bytes, Math.min(length, MAX_BYTES));
        String line = new String(bytes, 0, end < 0 ? Math.min(length, MAX_BYTES) : end, StandardCharsets.ISO_8859_1);
        Checks.that(line.regionMatches(0, BEGIN, 0, Math.min(line.length(), BEGIN.length())), NAME, "other", BEGIN);
        if (end < 0) {
            Checks.that(length < MAX_BYTES, NAME, length + " bytes", "a line of at most " + MAX_BYTES);
            return null;
        }
        return header(end + 2, line.substring(Math.min(line.length(), BEGIN.length())));
    }

    /** Returns the index of CR LF, or -1 if it is not there yet. */
    private static int lineEnd(byte[] bytes, int length) {
        for (int i = 0; i + 1 < length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static ProxyHeader header(int bytes, String text) {
        if (text.equals("UNKNOWN") || text.startsWith("UNKNOWN ")) {
            return ProxyHeader.withoutClient(bytes);
        }
        String[] words = text.split(" ", -1);
        Checks.that(words.length == 5, NAME, text, "family, two addresses and two ports");
        ProxyHeader.Endpoint client = new ProxyHeader.Endpoint(address(words[0], words[1]), port(words[3]));
        ProxyHeader.Endpoint destination = new ProxyHeader.Endpoint(address(words[0], words[2]), port(words[4]));
        return new ProxyHeader(bytes, Optional.of(client), Optional.of(destination));
    }

    private static IpAddress address(String family, String text) {
        boolean colons = text.indexOf(':') >= 0;
        Checks.that(
                family.equals(colons ? "TCP6" : "TCP4"),
                NAME,
                family + " " + text,
                "TCP4 with IPv4 addresses, or TCP6 with IPv6 addresses");
        return IpAddress.parse(text);
    }

    private static int port(String text) {
        boolean valid = PORT.matcher(text).matches() && Integer.parseInt(text) <= MAX_PORT;
        Checks.that(valid, NAME, text, "a valid port number");
        return Integer.parseInt(text);
    }
}
