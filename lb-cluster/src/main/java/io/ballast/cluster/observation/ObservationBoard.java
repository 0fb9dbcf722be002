package io.ballast.cluster.observation;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.cluster.observation.ObservationFrame.Row;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observations of all connected nodes: soft state that is neither stored nor agreed on. A node writes rows; each
 * row is replaced as a whole and has one writer, so there are no conflicts.
 *
 * <p>Changed rows are sent within {@value #FLUSH_MILLIS} ms, several in one frame. All rows are sent to a node that
 * connects, and are repeated every {@value #TICK_SECONDS}×{@value #MIN_ROUNDS} seconds, or less often if they have more
 * than {@value #MIN_ROUNDS}×{@value ObservationFrame#MAX_BYTES} bytes. The rows of a node disappear when it is
 * disconnected, and when it has been silent for {@value #SILENCE_SECONDS} s. A row disappears when it is not repeated
 * for three times the usual interval.
 *
 * <p>Bounds: {@value #MAX_NODE_ROWS} rows and {@value #MAX_NODE_BYTES} bytes for each node, {@value #MAX_ROWS} rows and
 * {@value #MAX_BYTES} bytes for all other nodes together, {@value #MAX_CONTENT_BYTES} bytes for a row, and
 * {@value #MAX_WAITING_BYTES} bytes of received frames that are not processed yet. Rows and frames beyond these bounds
 * are refused and counted.
 *
 * <p>Thread-safe. Starts one thread, which does all other work: the mesh thread only passes frames to it.
 */
public final class ObservationBoard implements MeshListener, AutoCloseable {

    /** The kind of the board's messages. */
    public static final int KIND = Mesh.FIRST_KIND + 33;

    /** The longest topic, in characters. */
    public static final int MAX_TOPIC_LENGTH = 512;

    /** The largest content of a row. */
    public static final int MAX_CONTENT_BYTES = 32 << 10;

    static final int MAX_NODE_ROWS = 20_000;
    static final int MAX_NODE_BYTES = 4 << 20;
    static final int MAX_ROWS = 200_000;
    static final int MAX_BYTES = 64 << 20;
    static final int MAX_WAITING_BYTES = 16 << 20;
    static final int MIN_ROUNDS = 3;
    static final int TICK_SECONDS = 2;
    static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    static final int SILENCE_SECONDS = 10;
    static final long SILENCE_NANOS = SILENCE_SECONDS * NANOS_PER_SECOND;
    static final int FLUSH_MILLIS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(ObservationBoard.class);

    private final ObservationCounters counters = new ObservationCounters();
    private final OwnRows own = new OwnRows(counters);
    private final PeerRows others = new PeerRows(counters);
    private final Map<String, Long> connected = new HashMap<>();
    private final Map<String, Optional<byte[]>> changes = new ConcurrentHashMap<>();
    private final AtomicBoolean isFlushDue = new AtomicBoolean();
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private final ScheduledExecutorService thread;
    private final LongSupplier nanoTime;
    private final ObservationListener listener;
    private volatile ObservationSender sender = (node, kind, message) -> false;
    private volatile int ownRows;
    private volatile int otherRows;

    /** @param listener is notified of the rows of other nodes */
    public ObservationBoard(ObservationListener listener) {
        this(
                Executors.newSingleThreadScheduledExecutor(task -> {
                    Thread created = new Thread(task, "cluster-observations");
                    created.setDaemon(true);
                    return created;
                }),
                System::nanoTime,
                listener);
    }

    /**
     * Creates a board that uses a thread of the caller.
     *
     * @param thread runs all tasks, one at a time; {@link #close} ends it
     * @param nanoTime like {@link System#nanoTime}
     */
    public ObservationBoard(ScheduledExecutorService thread, LongSupplier nanoTime, ObservationListener listener) {
        this.thread = thread;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /**
     * Begins to send and receive.
     *
     * @param mesh a mesh that notifies this board and is not started yet
     */
    public void start(Mesh mesh) {
        start(mesh::send);
    }

    /** Like {@link #start(Mesh)}, but sends the messages with {@code target} instead of a mesh. */
    public void start(ObservationSender target) {
        sender = target;
        thread.schedule(() -> run(this::tick), TICK_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Writes a row of this node. Cost: a map access; the row is sent later. If a row changes several times before it is
     * sent, only its last content is sent.
     *
     * @param topic at most {@value #MAX_TOPIC_LENGTH} characters
     * @param content at most {@value #MAX_CONTENT_BYTES} bytes; must not be changed afterwards
     */
    public void put(String topic, byte[] content) {
        if (topic.isEmpty() || topic.length() > MAX_TOPIC_LENGTH || content.length > MAX_CONTENT_BYTES) {
            throw new IllegalArgumentException("topic of " + topic.length() + " characters, content of "
                    + content.length + " bytes (expected: 1 to " + MAX_TOPIC_LENGTH + " characters, at most "
                    + MAX_CONTENT_BYTES + " bytes)");
        }
        change(topic, Optional.of(content));
    }

    /** Withdraws a row of this node; has no effect if there is none. Cost: as {@link #put}. */
    public void withdraw(String topic) {
        change(topic, Optional.empty());
    }

    private void change(String topic, Optional<byte[]> content) {
        changes.put(topic, content);
        if (isFlushDue.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            try {
                thread.schedule(() -> run(this::flush), FLUSH_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("the board is closed");
            }
        }
    }

    /** The number of rows that this node has written. */
    public int ownRows() {
        return ownRows;
    }

    /** The number of rows of other nodes. */
    public int otherRows() {
        return otherRows;
    }

    public ObservationCounters counters() {
        return counters;
    }

    // ---- rows of this node

    private void flush() {
        isFlushDue.set(false); // cleared before the changes are read, so that a later change schedules another call
        List<Row> changed = new ArrayList<>();
        Map<String, byte[]> written = new HashMap<>();
        for (String topic : List.copyOf(changes.keySet())) {
            Optional<byte[]> content = Objects.requireNonNullElse(changes.remove(topic), Optional.empty());
            content.ifPresentOrElse(
                    present -> written.put(topic, present),
                    () -> replace(topic, null, changed)); // done first, because removed rows make room
        }
        written.forEach((topic, content) -> replace(topic, content, changed));
        ownRows = own.size();
        if (!changed.isEmpty()) {
            send(connected.keySet(), changed);
        }
    }

    private void replace(String topic, byte @Nullable [] content, List<Row> changed) {
        Row row = own.replace(topic, content);
        if (row != null) {
            changed.add(row);
        }
    }

    private void send(Set<String> nodes, List<Row> rows) {
        int lifetime = Math.min(ObservationFrame.MAX_LIFETIME_SECONDS, 3 * TICK_SECONDS * own.rounds() + 1);
        for (byte[] frame : ObservationFrame.encode(lifetime, rows)) {
            for (String node : nodes) {
                counters.countSent(sender.send(node, KIND, frame));
            }
        }
    }

    private void tick() {
        schedule();
        send(connected.keySet(), own.nextToRepeat());
        report(new PeerRows.Changes(List.of(), others.removeExpired(nanoTime.getAsLong())));
    }

    private void schedule() {
        try {
            thread.schedule(() -> run(this::tick), TICK_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the board is closed");
        }
    }

    // ---- rows of other nodes

    @Override
    public void connected(ClusterNode peer) {
        execute(() -> {
            connected.put(peer.node(), peer.incarnation());
            send(Set.of(peer.node()), own.all());
            listener.connected(Set.copyOf(connected.keySet()));
            report(new PeerRows.Changes(others.of(peer.node()), List.of()));
        });
    }

    @Override
    public void disconnected(ClusterNode peer) {
        execute(() -> {
            if (connected.remove(peer.node(), peer.incarnation())) {
                tellListener(new PeerRows.Changes(List.of(), others.remove(peer.node())));
                listener.connected(Set.copyOf(connected.keySet()));
            }
        });
    }

    @Override
    public void received(ClusterNode node, int kind, byte[] message) {
        if (kind != KIND) {
            return;
        }
        if (waitingBytes.addAndGet(message.length) > MAX_WAITING_BYTES) {
            waitingBytes.addAndGet(-message.length);
            counters.countDropped();
            return;
        }
        execute(() -> {
            waitingBytes.addAndGet(-message.length);
            receive(node, message);
        });
    }

    private void receive(ClusterNode node, byte[] message) {
        counters.countReceived();
        try {
            ObservationFrame frame = ObservationFrame.decode(message);
            report(others.apply(node.node(), node.incarnation(), frame, nanoTime.getAsLong()));
        } catch (IOException e) {
            counters.countMalformed();
            LOG.debug("node={} msg=\"malformed observations\" reason=\"{}\"", node.node(), ErrorText.of(e));
        }
    }

    /** Notifies the listener of changed rows, except those of nodes that are not connected. */
    private void report(PeerRows.Changes all) {
        tellListener(new PeerRows.Changes(
                all.present().stream().filter(this::isConnected).toList(),
                all.gone().stream().filter(this::isConnected).toList()));
    }

    private boolean isConnected(Observation row) {
        return connected.containsKey(row.node());
    }

    private void tellListener(PeerRows.Changes changed) {
        otherRows = others.size();
        if (!changed.isEmpty()) {
            listener.changed(changed.present(), changed.gone());
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("the board is closed");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("cluster=observations_failed", e);
        }
    }

    /** Ends the thread. Other nodes drop the rows of this node when it is disconnected. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
