package io.ballast.server.scenario;

import io.ballast.server.testing.ExclusiveLoopback;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;

/** A request through a balancer to one of {@link EchoBackends}, and the evaluation of its response. */
record EchoedRequest(int port, boolean isTls, String method, String host, String path, List<String> headers) {

    /** Response headers that a configuration may change. */
    private static final Set<String> COMPARED = Set.of(
            "location",
            "strict-transport-security",
            "x-frame-options",
            "x-content-type-options",
            "referrer-policy",
            "x-robots-tag",
            "content-security-policy",
            "access-control-allow-origin",
            "vary",
            "cache-control",
            "x-powered-by",
            "x-served-by");

    /**
     * Sends the request on its own connection; returns the status, some headers and the request that the backend
     * received.
     */
    String request(SSLSocketFactory tls, List<String> differing) throws IOException {
        try (Socket plain = new Socket(ExclusiveLoopback.HOST, port);
                Socket socket = isTls ? tls.createSocket(plain, host, port, /* autoClose= */ true) : plain) {
            socket.setSoTimeout(30_000);
            String body = method.equals("POST") ? "x=1" : "";
            String head =
                    method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nUser-Agent: test\r\n"
                            + headers.stream().map(line -> line + "\r\n").collect(Collectors.joining())
                            + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
                            + "\r\n" + body;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8), differing);
        }
    }

    private String answer(String response, List<String> differing) {
        int end = response.indexOf("\r\n\r\n");
        if (end < 0) {
            return "no response";
        }
        String status = response.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
        int echo = response.indexOf("pool ", end);
        String seen = echo < 0
                ? ""
                : response.substring(echo)
                        .lines()
                        .takeWhile(line -> !line.equals("0"))
                        .filter(line -> differing.stream().noneMatch(name -> line.startsWith(name + ": ")))
                        .collect(Collectors.joining("\n"));
        String headers = response.substring(0, end)
                .lines()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
                        + line.substring(line.indexOf(':')))
                .filter(line -> COMPARED.contains(line.substring(0, line.indexOf(':'))))
                .filter(line -> !differing.contains(line.substring(0, line.indexOf(':'))))
                .map(line -> line.replaceFirst("^location: https?://" + host + "(:" + port + ")?/", "location: /"))
                .filter(line -> status.startsWith("2") || status.startsWith("3") || !isOfSuccess(line))
                .sorted()
                .collect(Collectors.joining("\n"));
        return status + "\n" + headers + "\n" + seen;
    }

    /**
     * nginx adds headers only to successful responses, unless the file says {@code always}; Ballast adds them to all
     * responses.
     */
    private static boolean isOfSuccess(String line) {
        return !line.startsWith("location");
    }
}
