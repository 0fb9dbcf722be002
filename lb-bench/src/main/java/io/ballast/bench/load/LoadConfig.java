package io.ballast.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * The parameters of one run.
 *
 * @param port the server's port on 127.0.0.1
 * @param path the path of every request, in origin form
 * @param ratePerSecond number of requests that become due per second, evenly spaced
 * @param seconds the duration in seconds during which requests become due
 * @param connections maximum number of connections, and of requests in flight
 * @param closes whether every request uses a connection of its own
 * @param source the client's address, in 127.0.0.0/8
 */
record LoadConfig(
        int port, String path, int ratePerSecond, int seconds, int connections, boolean closes, String source) {

    private static final String FORM = "PORT PATH RATE SECONDS CONNECTIONS keep|close [SOURCE]";
    private static final String DEFAULT_SOURCE = "127.0.0.1";

    LoadConfig {
        if (ratePerSecond < 1 || seconds < 1 || connections < 1) {
            throw new IllegalArgumentException("rate, seconds, connections: " + ratePerSecond + ", " + seconds + ", "
                    + connections + " (expected: each >= 1)");
        }
    }

    /** Parses the format {@value #FORM}. */
    static LoadConfig parse(String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length < 6 || words.length > 7 || !(words[5].equals("keep") || words[5].equals("close"))) {
            throw new IllegalArgumentException("run: '" + line + "' (expected: " + FORM + ")");
        }
        return new LoadConfig(
                Integer.parseInt(words[0]),
                words[1],
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                words[5].equals("close"),
                words.length == 7 ? words[6] : DEFAULT_SOURCE);
    }

    /** Returns the total number of requests that the load run schedules. */
    long requests() {
        return (long) ratePerSecond * seconds;
    }

    /** Returns when a request is due, relative to the start of the run. */
    long dueNanos(long number) {
        return number * 1_000_000_000 / ratePerSecond;
    }

    /** Returns the encoded request. */
    byte[] request() {
        String connection = closes ? "Connection: close\r\n" : "";
        return ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n" + connection + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
