package io.ballast.http.route;

import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;

/** A GET request without headers for the router. The method, the host and the target are in one array. */
final class PlainRequest implements RoutedRequest {

    private static final String METHOD = "GET";

    private final byte[] bytes;
    private final int hostEnd;

    PlainRequest(String host, String target) {
        this.bytes = (METHOD + host + target).getBytes(StandardCharsets.US_ASCII);
        this.hostEnd = METHOD.length() + host.length();
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int methodStart() {
        return 0;
    }

    @Override
    public int methodEnd() {
        return METHOD.length();
    }

    @Override
    public int hostStart() {
        return METHOD.length();
    }

    @Override
    public int hostEnd() {
        return hostEnd;
    }

    @Override
    public int authorityEnd() {
        return hostEnd();
    }

    @Override
    public int pathStart() {
        return hostEnd;
    }

    @Override
    public int pathEnd() {
        return bytes.length;
    }

    @Override
    public int headerLine(byte[] lowerCaseName, int from) {
        return -1;
    }

    @Override
    public int headerCount() {
        return 0;
    }

    @Override
    public int headerNameStart(int line) {
        throw new IndexOutOfBoundsException(line);
    }

    @Override
    public int headerNameEnd(int line) {
        throw new IndexOutOfBoundsException(line);
    }

    @Override
    public int headerStart(int line) {
        throw new IndexOutOfBoundsException(line);
    }

    @Override
    public int headerEnd(int line) {
        throw new IndexOutOfBoundsException(line);
    }
}
