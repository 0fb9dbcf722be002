package io.ballast.http.route.request;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request for routing, with its parts spread over one array. */
public final class TestRequest implements RoutedRequest {

    private final StringBuilder text = new StringBuilder("<");
    private final List<String> names = new ArrayList<>();
    private final List<int[]> namesAt = new ArrayList<>();
    private final List<int[]> values = new ArrayList<>();
    private final int[] method;
    private final int[] host;
    private final int[] target;

    private byte[] bytes = new byte[0];

    public TestRequest(String method, String host, String target) {
        this.method = add(method);
        this.host = add(host);
        this.target = add(target);
        done();
    }

    public static TestRequest get(String host, String target) {
        return new TestRequest("GET", host, target);
    }

    public TestRequest header(String name, String value) {
        names.add(name);
        namesAt.add(add(name));
        values.add(add(value));
        return done();
    }

    private int[] add(String part) {
        int start = text.length();
        text.append(part).append('>');
        return new int[] {start, start + part.length()};
    }

    private TestRequest done() {
        bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        return this;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int methodStart() {
        return method[0];
    }

    @Override
    public int methodEnd() {
        return method[1];
    }

    @Override
    public int hostStart() {
        return host[0];
    }

    @Override
    public int hostEnd() {
        return host[1];
    }

    @Override
    public int authorityEnd() {
        return hostEnd();
    }

    @Override
    public int pathStart() {
        return target[0];
    }

    @Override
    public int pathEnd() {
        return target[1];
    }

    @Override
    public int headerLine(byte[] lowerCaseName, int from) {
        for (int line = from; line < names.size(); line++) {
            if (isName(names.get(line), lowerCaseName)) {
                return line;
            }
        }
        return -1;
    }

    /** Does not allocate, so that allocations of the tested code can be counted. */
    private static boolean isName(String name, byte[] lowerCaseName) {
        if (name.length() != lowerCaseName.length) {
            return false;
        }
        for (int i = 0; i < lowerCaseName.length; i++) {
            if (Character.toLowerCase(name.charAt(i)) != lowerCaseName[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int headerCount() {
        return names.size();
    }

    @Override
    public int headerNameStart(int line) {
        return namesAt.get(line)[0];
    }

    @Override
    public int headerNameEnd(int line) {
        return namesAt.get(line)[1];
    }

    @Override
    public int headerStart(int line) {
        return values.get(line)[0];
    }

    @Override
    public int headerEnd(int line) {
        return values.get(line)[1];
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
