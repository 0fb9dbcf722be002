package io.ballast.policy.cache;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.testing.HttpRequests;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client that reads the response to one GET of {@code /a} in parts. Confined to the test's thread. */
interface ReadingClient extends AutoCloseable {

    /** The maximum number of body bytes that a client accepts while it does not read, with either version of HTTP. */
    int SLOW_BYTES = 16 * 1024;

    /** Sends the request. */
    static ReadingClient start(HttpRequests version, TestBalancer balancer, String... headers) {
        return version == HttpRequests.HTTP_1 ? new Http1(balancer, headers) : new Http2(balancer, headers);
    }

    /** Reads the next bytes of the body; returns them. */
    String read(int bytes);

    /** Reads to the end of the response; returns the rest of the body. */
    String readRest();

    /** Reads to the end of the response; returns whether the client can see that the body is incomplete. */
    boolean isCut();

    /** Aborts the request before its response is complete. */
    void abort();

    @Override
    void close();

    /** A client of HTTP/1.1. */
    final class Http1 implements ReadingClient {

        private static final Pattern LENGTH = Pattern.compile("Content-Length: ([0-9]+)");

        private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

        private final RawClient client;
        /** The number of body bytes that have not been read; negative before the head was read. */
        private int rest = -1;

        Http1(TestBalancer balancer, String... headers) {
            client = RawClient.connect(balancer.port(), SLOW_BYTES);
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < headers.length; i += 2) {
                lines.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n");
        }

        private void readHead() {
            if (rest < 0) {
                Matcher length = LENGTH.matcher(client.readHead());
                rest = length.find() ? Integer.parseInt(length.group(1)) : Integer.MAX_VALUE;
            }
        }

        @Override
        public String read(int bytes) {
            readHead();
            rest -= rest == Integer.MAX_VALUE ? 0 : bytes;
            return client.readExactly(bytes);
        }

        @Override
        public String readRest() {
            if (rest < 0) {
                return client.read().body();
            }
            return rest == Integer.MAX_VALUE ? readChunks() : client.readExactly(rest);
        }

        /** Reads to the last chunk; returns the data with its chunked coding. */
        private String readChunks() {
            StringBuilder read = new StringBuilder(client.readExactly(LAST_CHUNK.length()));
            while (read.indexOf(LAST_CHUNK, read.length() - LAST_CHUNK.length()) < 0) {
                read.append(client.readExactly(1));
            }
            return read.toString();
        }

        @Override
        public boolean isCut() {
            readHead();
            return client.readToEnd().length() < rest;
        }

        @Override
        public void abort() {
            client.reset();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** A client of HTTP/2, which can end its stream without closing the connection. */
    final class Http2 implements ReadingClient {

        private static final int WINDOW = 1 << 30;
        private static final int CANCEL = ErrorCode.CANCEL.ordinal();

        private final Http2Client client;
        private final int stream;
        private int position;

        Http2(TestBalancer balancer, String... headers) {
            client = Http2Client.connect(balancer.port()).keepingWindows();
            stream = client.get("/a", headers);
        }

        private void open() {
            client.send(FrameBytes.windowUpdate(0, WINDOW), FrameBytes.windowUpdate(stream, WINDOW));
        }

        @Override
        public String read(int bytes) {
            int end = position + bytes;
            client.await("a part of the body", () -> client.response(stream).bytes().length >= end);
            String part = client.response(stream).body().substring(position, end);
            position = end;
            return part;
        }

        @Override
        public String readRest() {
            open();
            return client.read(stream).body().substring(position);
        }

        @Override
        public boolean isCut() {
            open();
            return client.read(stream).resetCode() >= 0;
        }

        /** Resets the stream. The connection stays open, so that the server reuses the objects of its streams. */
        @Override
        public void abort() {
            client.send(FrameBytes.reset(stream, CANCEL)).sync();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
