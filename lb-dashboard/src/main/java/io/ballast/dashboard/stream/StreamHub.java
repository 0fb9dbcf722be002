package io.ballast.dashboard.stream;

import io.ballast.core.control.Event;
import io.ballast.core.control.Timeline;
import io.ballast.dashboard.document.StreamJson;
import io.ballast.dashboard.document.StreamParts;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PageState;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.source.LiveQueries;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends changes to every connected page: a snapshot after the connect, an update each second, and events as
 * soon as they happen. A message is encoded once for all pages in the same state, and not at all if no page
 * is connected. A page whose connection is not writable misses messages; its next update then contains
 * everything that changed.
 *
 * <p>Thread safety: confined to the dashboard's event loop.
 */
public final class StreamHub {

    /** Maximum number of dashboard pages that can be connected to the event stream at the same time. */
    public static final int MAX_CLIENTS = 64;

    private static final int MAX_EVENTS_IN_MESSAGE = 1000;
    private static final int HEARTBEAT_TICKS = 15;
    private static final long NO_ID = -1;

    /**
     * Limits the data that is queued for a slow connection, in this process and in the kernel, to less than two
     * seconds at 400 kbit/s. So the page shows current values instead of a backlog.
     */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(16 * 1024, 32 * 1024);

    private static final int SEND_BUFFER_BYTES = 32 * 1024;

    private final Set<StreamSubscriber> clients = new LinkedHashSet<>();
    private final List<Event> queuedEvents = new ArrayList<>();
    private final LiveStats live;
    private final Timeline timeline;
    private final Supplier<Optional<LiveQueries>> queries;
    private final Supplier<StreamJson.Header> header;
    private final StreamParts parts = new StreamParts();
    private long ticks;

    /**
     * @param queries returns the DNS queries since the last call; empty if DNS forwarding is off
     */
    public StreamHub(
            LiveStats live,
            Timeline timeline,
            Supplier<Optional<LiveQueries>> queries,
            Supplier<StreamJson.Header> header) {
        this.live = live;
        this.timeline = timeline;
        this.queries = queries;
        this.header = header;
    }

    public int clients() {
        return clients.size();
    }

    /** Throws {@link HttpProblem} 503 if the maximum number of pages is reached. */
    public void requireCapacity() {
        if (clients.size() >= MAX_CLIENTS) {
            throw HttpProblem.of(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "more than " + MAX_CLIENTS + " clients are connected to the event stream");
        }
    }

    /**
     * Adds a page whose response head was written, and sends it the snapshot with the events after {@code
     * lastId}.
     *
     * @param gzip whether the response is compressed, as declared in its head
     */
    public void subscribe(Channel channel, long lastId, boolean gzip) {
        channel.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
        channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        StreamSubscriber client = new StreamSubscriber(channel, gzip);
        clients.add(client);
        channel.closeFuture().addListener(closed -> clients.remove(client));
        sendSnapshot(client, lastId);
    }

    /** Takes a sample and sends it to every page. */
    public void tick(long nowNanos) {
        long before = live.version();
        live.sample(nowNanos);
        ticks++;
        Optional<LiveQueries> liveQueries =
                queries.get(); // polled even if no page is connected, so that a new page starts with current queries
        if (clients.isEmpty()) {
            return;
        }
        StreamJson.Header head = header.get();
        parts.refresh(live, head);
        Map<PageState, ByteBuf> made = new HashMap<>();
        long newest = newestEventId();
        for (StreamSubscriber client : List.copyOf(clients)) {
            if (!client.isWritable()) {
                continue;
            }
            if (client.hasLayout(live.layoutVersion())) {
                boolean missed = client.sentState().version() < before;
                PageState known =
                        missed ? client.sentState() : client.sentState().withAllEvents();
                ByteBuf message = made.computeIfAbsent(known, since -> tick(head, since, liveQueries));
                client.sendTick(
                        message,
                        live.version(),
                        missed ? newest : client.sentState().lastEventId());
            } else {
                sendSnapshot(client, NO_ID);
            }
        }
        made.values().forEach(ByteBuf::release);
        if (ticks % HEARTBEAT_TICKS == 0) {
            heartbeat();
        }
    }

    private ByteBuf tick(StreamJson.Header head, PageState known, Optional<LiveQueries> liveQueries) {
        List<Event> events = eventsAfter(known.lastEventId());
        long newest = events.isEmpty() ? NO_ID : events.get(events.size() - 1).id();
        return SseFrame.of("tick", newest, StreamJson.tick(live, parts, head, known, events, liveQueries));
    }

    private void heartbeat() {
        ByteBuf heartbeat = SseFrame.heartbeat();
        clients.stream().filter(StreamSubscriber::isWritable).forEach(client -> client.send(heartbeat));
        heartbeat.release();
    }

    /** Queues an event for the next {@link #sendQueuedEvents}. Returns whether the queue was empty. */
    public boolean queueEvent(Event event) {
        queuedEvents.add(event);
        return queuedEvents.size() == 1;
    }

    /**
     * Sends the queued events and the resulting health changes to the pages that are up to date. All other pages
     * get them with the next tick. Sends a snapshot after a reload.
     */
    public void sendQueuedEvents() {
        List<Event> events = List.copyOf(queuedEvents);
        queuedEvents.clear();
        live.applyActiveConfig();
        long before = live.version();
        live.updateHealth();
        if (clients.isEmpty() || events.isEmpty()) {
            return;
        }
        long newest = events.get(events.size() - 1).id();
        ByteBuf message = SseFrame.of("timeline", newest, StreamJson.timeline(live, newestEvents(events), before));
        for (StreamSubscriber client : List.copyOf(clients)) {
            if (!client.isWritable()) {
                continue;
            }
            if (!client.hasLayout(live.layoutVersion())) {
                sendSnapshot(client, NO_ID);
            } else if (client.sentState().version() == before) {
                client.sendTimeline(message, live.version(), newest);
            }
        }
        message.release();
    }

    /** Ends every stream; pages reconnect automatically. */
    public void endStreams() {
        List<StreamSubscriber> ended = List.copyOf(clients);
        clients.clear();
        ended.forEach(StreamSubscriber::end);
    }

    private void sendSnapshot(StreamSubscriber client, long lastId) {
        long newest = newestEventId();
        // An id greater than the newest one was assigned before a restart.
        List<Event> events = eventsAfter(lastId > newest ? NO_ID : lastId);
        ByteBuf snapshot = SseFrame.of("snapshot", newest, StreamJson.snapshot(live, header.get(), events));
        client.sendSnapshot(snapshot, live.layoutVersion(), live.version(), newest);
        snapshot.release();
    }

    private long newestEventId() {
        List<Event> recent = timeline.recent();
        return recent.isEmpty() ? 0 : recent.get(recent.size() - 1).id();
    }

    private List<Event> eventsAfter(long id) {
        return id == PageState.ALL_EVENTS
                ? List.of()
                : newestEvents(timeline.recent().stream()
                        .filter(event -> event.id() > id)
                        .toList());
    }

    private static List<Event> newestEvents(List<Event> events) {
        return events.subList(Math.max(0, events.size() - MAX_EVENTS_IN_MESSAGE), events.size());
    }
}
