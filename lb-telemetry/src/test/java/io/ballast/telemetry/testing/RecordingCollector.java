package io.ballast.telemetry.testing;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** A collector that decodes the data that it receives over OTLP/HTTP. */
public final class RecordingCollector implements AutoCloseable {

    private static final int TIMEOUT_SECONDS = 30;

    private final HttpServer server;
    private final String scheme;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Span> spans = new LinkedBlockingQueue<>();
    private final BlockingQueue<Metric> metrics = new LinkedBlockingQueue<>();
    private final List<Map<String, Object>> resources = new CopyOnWriteArrayList<>();
    private final List<Headers> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean stalled;
    private volatile boolean endless;
    private volatile int status = 200;

    private RecordingCollector(HttpServer server, String scheme) {
        this.server = server;
        this.scheme = scheme;
        server.createContext("/v1/traces", this::traces);
        server.createContext("/v1/metrics", this::metrics);
        server.setExecutor(threads);
        server.start();
    }

    public static RecordingCollector start() throws IOException {
        return new RecordingCollector(HttpServer.create(anyPort(), /* backlog= */ 0), "http");
    }

    public static RecordingCollector start(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), /* backlog= */ 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new RecordingCollector(server, "https");
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** The value of {@code otlp.endpoint}. */
    public URI endpoint() {
        String host = scheme.equals("https") ? "localhost" : "127.0.0.1";
        return URI.create(scheme + "://" + host + ":" + server.getAddress().getPort());
    }

    /** Makes the collector answer no request before {@link #close}. */
    public void stall() {
        stalled = true;
    }

    /** Makes the collector send the head of each answer, and a part of the body, which never ends. */
    public void answerEndlessly(boolean active) {
        endless = active;
    }

    /** Sets the status of all further answers. */
    public void answer(int code) {
        status = code;
    }

    private void traces(HttpExchange exchange) throws IOException {
        ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
        answer(
                exchange,
                () -> request.getResourceSpansList().forEach(each -> {
                    resources.add(attributes(each.getResource().getAttributesList()));
                    each.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
                }));
    }

    private void metrics(HttpExchange exchange) throws IOException {
        ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody());
        answer(
                exchange,
                () -> request.getResourceMetricsList().forEach(each -> {
                    resources.add(attributes(each.getResource().getAttributesList()));
                    each.getScopeMetricsList().forEach(scope -> metrics.addAll(scope.getMetricsList()));
                }));
    }

    private void answer(HttpExchange exchange, Runnable record) throws IOException {
        requests.add(exchange.getRequestHeaders());
        if (stalled) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (endless) {
            exchange.sendResponseHeaders(status, /* responseLength= */ 1000);
            exchange.getResponseBody().write(0);
            exchange.getResponseBody().flush();
            return;
        }
        if (status == 200) {
            record.run();
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /** Returns the next span; fails if none arrives. */
    public Span nextSpan() throws InterruptedException {
        Span next = spans.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no span has arrived");
        }
        return next;
    }

    /** Returns the next metric with this name; fails if none arrives. */
    public Metric nextMetric(String name) throws InterruptedException {
        while (true) {
            Metric next = metrics.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no metric " + name + " has arrived");
            }
            if (next.getName().equals(name)) {
                return next;
            }
        }
    }

    /** The number of spans that have arrived and were not taken. */
    public int waitingSpans() {
        return spans.size();
    }

    /** The attributes of the resources of all requests. */
    public List<Map<String, Object>> resources() {
        return resources;
    }

    /** The header lines of all requests. */
    public List<Headers> requests() {
        return requests;
    }

    /** The attributes of a span by name. */
    public static Map<String, Object> attributes(Span span) {
        return attributes(span.getAttributesList());
    }

    /** Returns the attributes of a list by name. */
    public static Map<String, Object> attributes(List<KeyValue> list) {
        Map<String, Object> all = new TreeMap<>();
        list.forEach(each -> all.put(each.getKey(), value(each.getValue())));
        return all;
    }

    private static Object value(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> value.getIntValue();
            case BOOL_VALUE -> value.getBoolValue();
            default -> throw new AssertionError("unexpected attribute: " + value);
        };
    }

    /** An id in hexadecimal digits. */
    public static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    @Override
    public void close() {
        released.countDown();
        server.stop(/* delay= */ 0);
        threads.shutdownNow();
    }
}
