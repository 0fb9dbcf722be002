package io.ballast.server;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.Order;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.StandingOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which orders of operators outlive the process. It is replaced as a whole, and belongs to the process that took
 * it first: another one on the same directory leaves it alone and keeps its own orders in memory only. Whatever goes wrong
 * stands in the log and the timeline, and changes no order.
 *
 * <p>Thread safety: any thread may call any method; it is written by a thread of its own.
 */
final class OrderFile implements AutoCloseable {

    static final String NAME = "operator.json";

    private static final Logger LOG = LoggerFactory.getLogger(OrderFile.class);
    private static final long MOST_BYTES = 16 * 1024 * 1024;

    private final Path directory;
    private final Path file;
    private final ControlPlane control;
    private final Background writer = Background.of("orders", 1);
    private final AtomicReference<@Nullable List<StandingOrder>> unwritten = new AtomicReference<>();

    /** Guarded by this. */
    private @Nullable DataDirectory held;

    /** Whether the file is another process's; guarded by this. */
    private boolean foreign;

    /** @param control whose timeline tells of what goes wrong */
    OrderFile(Path directory, ControlPlane control) {
        this.directory = directory;
        this.file = directory.resolve(NAME);
        this.control = control;
    }

    /** What was kept; empty if there is no file, or none that can be used. To be called first. */
    synchronized List<StandingOrder> read() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            held = DataDirectory.holdOrders(directory);
        } catch (IOException e) {
            foreign = true;
            failed("orders are neither read nor kept: " + e.getMessage());
            return List.of();
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("too large");
            }
            return orders(JsonObject.read(Files.readAllBytes(file)).get("orders"));
        } catch (IOException e) {
            failed("orders cannot be read from " + file + ": " + e.getMessage());
            return List.of();
        }
    }

    private List<StandingOrder> orders(@Nullable Object list) throws IOException {
        if (!(list instanceof List<?> entries)) {
            throw new IOException("no list of orders");
        }
        List<StandingOrder> orders = new ArrayList<>();
        for (Object entry : entries) {
            try {
                orders.add(order(entry instanceof Map<?, ?> fields ? fields : Map.of()));
            } catch (IllegalArgumentException | DateTimeParseException e) {
                failed("an order in " + file + " is left out: " + e.getMessage());
            }
        }
        return orders;
    }

    private static StandingOrder order(Map<?, ?> fields) {
        String is = text(fields, "is");
        Order.Kind kind = Stream.of(Order.Kind.values())
                .filter(each -> each.label().equals(is))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is: " + is + " (expected: drain, down or up)"));
        Optional<Instant> until =
                Optional.ofNullable(fields.get("until")).map(Objects::toString).map(Instant::parse);
        return new StandingOrder(
                text(fields, "pool"),
                text(fields, "backend"),
                new Order(kind, text(fields, "who"), text(fields, "why"), Instant.parse(text(fields, "since")), until));
    }

    private static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    /** Has these written in place of all others. Returns at once. */
    void keep(List<StandingOrder> orders) {
        unwritten.set(List.copyOf(orders));
        writer.execute(this::write);
    }

    private synchronized void write() {
        List<StandingOrder> next = unwritten.getAndSet(null);
        if (next == null || foreign || (next.isEmpty() && !Files.exists(file))) {
            return;
        }
        try {
            take();
            replace(bytes(next));
        } catch (IOException e) {
            failed("orders are not kept for the next start: " + e);
        }
    }

    /** One that came into being since the start is of a process that may have ended, and still wants it. */
    private void take() throws IOException {
        if (held != null) {
            return;
        }
        try {
            held = DataDirectory.holdOrders(directory);
        } catch (IOException e) {
            foreign = true;
            throw e;
        }
        if (Files.exists(file)) {
            foreign = true;
            throw new IOException(file + " is another process's");
        }
    }

    private void replace(byte[] bytes) throws IOException {
        Path next = directory.resolve(NAME + ".next");
        Files.deleteIfExists(next);
        try (FileChannel channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(/* metaData= */ true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] bytes(List<StandingOrder> orders) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeArrayFieldStart("orders");
            for (StandingOrder each : orders) {
                Order order = each.order();
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                json.writeStringField("backend", each.address());
                json.writeStringField("is", order.kind().label());
                json.writeStringField("who", order.who());
                json.writeStringField("why", order.why());
                json.writeStringField("since", order.since().toString());
                if (order.until().isPresent()) {
                    json.writeStringField("until", order.until().get().toString());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void failed(String text) {
        LOG.warn("data_dir={} msg=\"{}\"", directory, text.replace('"', '\''));
        control.execute(() -> control.timeline().add(Origin.OPERATOR, "ballast", text));
    }

    /** Writes what waits, and lets go of the file. */
    @Override
    public void close() throws IOException {
        write();
        writer.close();
        synchronized (this) {
            if (held != null) {
                held.close();
                held = null;
                foreign = true;
            }
        }
    }
}
