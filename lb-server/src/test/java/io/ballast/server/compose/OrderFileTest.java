package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.OrderBook;
import io.ballast.core.health.StandingMaintenance;
import io.ballast.core.health.StandingOrder;
import io.ballast.core.health.StandingWeight;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderFileTest {

    private static final StandingOrder DRAIN = new StandingOrder(
            "web", "app:80", new Order(Order.Kind.DRAIN, "ann", "kernel", Instant.EPOCH, Optional.empty()));

    private static final OrderTerms TERMS =
            new OrderTerms("ann", "disk", Instant.EPOCH, Optional.of(Instant.EPOCH.plusSeconds(1)));

    private static final OrderBook BOOK = new OrderBook(
            List.of(DRAIN, new StandingOrder("web", "b:80", new Order(Order.Kind.DRAIN, TERMS, TERMS.until()))),
            List.of(new StandingWeight("web", "app:80", new WeightOrder(5, TERMS))),
            List.of(new StandingMaintenance("api", TERMS)));

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        control.close();
    }

    @Test
    void whatIsKeptIsReadAgain() throws Exception {
        try (OrderFile file = new OrderFile(directory, control)) {
            file.keep(BOOK);
        }
        try (OrderFile file = new OrderFile(directory, control)) {
            assertThat(file.read()).isEqualTo(BOOK);
        }
    }

    @Test
    void fileThatCannotBeReadIsNotLost() throws Exception {
        Path broken = Files.writeString(directory.resolve(OrderFile.NAME), "{\"orders\": [,]}");
        try (OrderFile file = new OrderFile(directory, control)) {
            assertThat(file.read()).isEqualTo(OrderBook.EMPTY);
            file.keep(BOOK);
        }

        assertThat(broken).content().contains("ann");
        assertThat(directory.resolve("operator.json.bad")).hasContent("{\"orders\": [,]}");
    }

    @Test
    void orderThatCannotBeUnderstoodIsNotLost() throws Exception {
        Files.writeString(directory.resolve(OrderFile.NAME), "{\"orders\": [{\"is\": \"asleep\"}]}");
        try (OrderFile file = new OrderFile(directory, control)) {
            assertThat(file.read()).isEqualTo(OrderBook.EMPTY);
        }

        assertThat(directory.resolve("operator.json.bad")).content().contains("asleep");
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenLater() throws Exception {
        Path inTheWay = Files.createDirectories(
                directory.resolve(OrderFile.NAME + "." + ProcessHandle.current().pid() + "/full"));
        try (OrderFile file = new OrderFile(directory, control)) {
            file.keep(BOOK);
            awaitTimeline("lost at a restart");

            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
        }
        assertThat(directory.resolve(OrderFile.NAME)).content().contains("ann");
    }

    private void awaitTimeline(String text) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            if (control.timeline().recent().stream()
                    .anyMatch(event -> event.toString().contains(text))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("not told within 60 s: " + text);
    }
}
