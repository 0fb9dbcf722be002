package io.ballast.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * One run that somebody asks for.
 *
 * @param port on 127.0.0.1
 * @param path of every request, in origin form
 * @param ratePerSecond requests that become due in a second, evenly spaced
 * @param seconds for which requests become due
 * @param connections most connections, and so most requests that are on their way at once
 * @param closes whether every request has a connection of its own
 */
record LoadOrder(int port, String path, int ratePerSecond, int seconds, int connections, boolean closes) {

    private static final String FORM = "PORT PATH RATE SECONDS CONNECTIONS keep|close";

    LoadOrder {
        if (ratePerSecond < 1 || seconds < 1 || connections < 1) {
            throw new IllegalArgumentException("rate, seconds, connections: " + ratePerSecond + ", " + seconds + ", "
                    + connections + " (expected: each >= 1)");
        }
    }

    /** Reads the form {@value #FORM}. */
    static LoadOrder parse(String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length != 6 || !(words[5].equals("keep") || words[5].equals("close"))) {
            throw new IllegalArgumentException("order: '" + line + "' (expected: " + FORM + ")");
        }
        return new LoadOrder(
                Integer.parseInt(words[0]),
                words[1],
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                words[5].equals("close"));
    }

    /** How many requests become due. */
    long requests() {
        return (long) ratePerSecond * seconds;
    }

    /** When request {@code number} is due, counted from the start of the run. */
    long dueNanos(long number) {
        return number * 1_000_000_000 / ratePerSecond;
    }

    /** The octets of every request. */
    byte[] request() {
        String connection = closes ? "Connection: close\r\n" : "";
        return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n" + connection + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
