package io.ballast.dashboard.live;

import io.ballast.core.control.Event;
import io.ballast.core.control.Timeline;
import io.ballast.dashboard.LiveQueries;
import io.ballast.dashboard.json.StreamJson;
import io.ballast.dashboard.server.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends what changed to every open page: a snapshot when it comes, a tick each second, events as soon as they happen.
 * Every message is encoded once, however many pages are open, and not at all when none is.
 *
 * <p>Thread safety: confined to the dashboard's event loop.
 */
public final class StreamHub {

    /** Most pages at once. */
    public static final int MAX_CLIENTS = 64;

    private static final int MAX_EVENTS_IN_SNAPSHOT = 200;
    private static final int HEARTBEAT_TICKS = 15;
    private static final long NO_ID = -1;
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    private final Set<StreamClient> clients = new LinkedHashSet<>();
    private final List<Event> unsent = new ArrayList<>();
    private final LiveStats live;
    private final Timeline timeline;
    private final Supplier<Optional<LiveQueries>> queries;
    private final Supplier<StreamJson.Header> header;
    private long ticks;
    /** Of what the pages were told; messages name backends by their places in it. */
    private int layout;

    /** @param queries takes what was asked since the last call; empty where nothing is forwarded */
    public StreamHub(
            LiveStats live,
            Timeline timeline,
            Supplier<Optional<LiveQueries>> queries,
            Supplier<StreamJson.Header> header) {
        this.live = live;
        this.timeline = timeline;
        this.queries = queries;
        this.header = header;
        this.layout = live.layout();
    }

    public int clients() {
        return clients.size();
    }

    /** Throws the {@link Problem} 503 when there is no room for another page. */
    public void requireRoom() {
        if (clients.size() >= MAX_CLIENTS) {
            throw Problem.of(
                    HttpResponseStatus.SERVICE_UNAVAILABLE, "more than " + MAX_CLIENTS + " pages follow the stream");
        }
    }

    /** Adds a page whose response head is written, and sends it the snapshot with the events after {@code lastId}. */
    public void subscribe(Channel channel, long lastId) {
        channel.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
        StreamClient client = new StreamClient(channel);
        clients.add(client);
        channel.closeFuture().addListener(closed -> clients.remove(client));
        ByteBuf snapshot = snapshot(lastId);
        client.send(snapshot);
        snapshot.release();
    }

    /** Takes the second's sample and tells it to everyone. */
    public void tick(long nowNanos) {
        live.sample(nowNanos);
        ticks++;
        boolean relaid = takeLayoutNews();
        Optional<LiveQueries> asked = queries.get(); // whoever looks on later begins with what is asked then
        if (clients.isEmpty()) {
            return;
        }
        broadcast(
                relaid
                        ? snapshot(NO_ID)
                        : SseFrame.of(
                                "tick",
                                NO_ID,
                                StreamJson.tick(live, header.get(), asked, BackendSeries::takeHealthNews)));
        if (ticks % HEARTBEAT_TICKS == 0) {
            broadcast(SseFrame.heartbeat());
        }
    }

    /** Takes an event of the timeline, to be sent by the next {@link #flush}. Returns whether it is the first one. */
    public boolean add(Event event) {
        unsent.add(event);
        return unsent.size() == 1;
    }

    /** Sends the events that came since the last call, with the health, or the new layout, that follows from them. */
    public void flush() {
        List<Event> events = List.copyOf(unsent);
        unsent.clear();
        live.follow();
        boolean relaid = takeLayoutNews();
        if (clients.isEmpty()) {
            return;
        }
        if (relaid) {
            broadcast(snapshot(NO_ID));
            return;
        }
        if (events.isEmpty()) {
            return;
        }
        long newest = events.get(events.size() - 1).id();
        broadcast(SseFrame.of("timeline", newest, StreamJson.timeline(live, events, BackendSeries::takeHealthNews)));
    }

    /** Ends every stream; pages try again by themselves. */
    public void end() {
        List<StreamClient> ended = List.copyOf(clients);
        clients.clear();
        ended.forEach(StreamClient::end);
    }

    private boolean takeLayoutNews() {
        boolean news = layout != live.layout();
        layout = live.layout();
        return news;
    }

    /** Consumes {@code message}. */
    private void broadcast(ByteBuf message) {
        List<ByteBuf> made = new ArrayList<>(2);
        made.add(message);
        Supplier<ByteBuf> snapshot = () -> {
            if (made.size() == 1) {
                made.add(snapshot(NO_ID));
            }
            return made.get(1);
        };
        List.copyOf(clients).forEach(client -> client.offer(message, snapshot));
        made.forEach(ByteBuf::release);
    }

    private ByteBuf snapshot(long lastId) {
        List<Event> recent = timeline.recent();
        long newest = recent.isEmpty() ? 0 : recent.get(recent.size() - 1).id();
        // An id beyond the newest is from before a restart.
        long after = lastId > newest ? NO_ID : lastId;
        List<Event> events = recent.stream().filter(event -> event.id() > after).toList();
        int surplus = Math.max(0, events.size() - MAX_EVENTS_IN_SNAPSHOT);
        return SseFrame.of(
                "snapshot", newest, StreamJson.snapshot(live, header.get(), events.subList(surplus, events.size())));
    }
}
