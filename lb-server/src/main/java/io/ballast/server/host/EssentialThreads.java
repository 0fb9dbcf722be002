package io.ballast.server.host;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.watchdog.ThreadFailure;
import io.ballast.core.watchdog.Watchdog;
import io.ballast.http.HttpFrontend;
import io.ballast.http.net.Workers;
import java.util.List;
import java.util.function.Consumer;

/** Watches the threads without which the process cannot serve, and reports when one fails. Thread-safe. */
public final class EssentialThreads {

    private final ControlPlane control;
    private final Consumer<String> onReason;
    private final Consumer<ThreadFailure> onFirstFailure;
    private final Watchdog watchdog = new Watchdog(this::failed, this::starved);

    /**
     * @param onReason called with the reason before {@code onFirstFailure}
     * @param onFirstFailure called at most once, on a thread that handles no traffic
     */
    public EssentialThreads(ControlPlane control, Consumer<String> onReason, Consumer<ThreadFailure> onFirstFailure) {
        this.control = control;
        this.onReason = onReason;
        this.onFirstFailure = onFirstFailure;
    }

    public Watchdog watchdog() {
        return watchdog;
    }

    /**
     * Watches the control plane and all HTTP threads, including threads that start later. The caller closes the
     * watchdog.
     */
    public Watchdog start(Workers workers, HttpFrontend http) {
        workers.all().forEach(worker -> watchdog.watch(List.of(worker.heartbeat())));
        watchdog.watch(List.of(control.heartbeat()));
        http.onAddedHeartbeats(watchdog::watch);
        watchdog.watch(http.heartbeats());
        watchdog.start();
        return watchdog;
    }

    private void failed(ThreadFailure failure) {
        String reason = failure.text() + "; the process is shutting down";
        onReason.accept(reason);
        addToTimeline(reason);
        onFirstFailure.accept(failure);
    }

    private void starved(String text) {
        addToTimeline(text);
    }

    private void addToTimeline(String text) {
        control.execute(() -> control.timeline().add(Origin.CHECK, "ballast", text));
    }
}
