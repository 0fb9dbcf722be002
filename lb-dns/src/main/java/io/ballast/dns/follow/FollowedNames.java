package io.ballast.dns.follow;

import io.ballast.core.Checks;
import io.ballast.core.pool.Registration;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.stats.DnsCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows names outside the zones: asks for their addresses when they are new, and again before what was said ends, as {@link
 * FollowState} says. At most {@value #MOST_ASKED} questions are on their way at once; more that are due wait, the longest first.
 *
 * <p>Thread safety: any thread may call any method. What changes is guarded by this; nothing foreign is called meanwhile. Reading
 * takes no lock.
 */
public final class FollowedNames implements Followed, AutoCloseable {

    /** Names that are followed at once. */
    public static final int MOST_NAMES = 1_000;

    /** Questions on their way at once. */
    static final int MOST_ASKED = 200;

    /** Names that begin or end to fail within this time are told of together. */
    static final Duration GATHERING = Duration.ofSeconds(1);

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final FollowPace pace;
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private final PriorityQueue<FollowedName> due = new PriorityQueue<>(FollowedName::compareDue);
    private final Set<String> changed = new HashSet<>();
    private final FailureGathering failures = new FailureGathering();
    private volatile Map<String, Map<AddressFamily, FollowedName>> names = Map.of();
    private volatile FollowTrouble trouble = FollowTrouble.UNTOLD;
    private volatile CompletableFuture<Void> firstAnswers = CompletableFuture.completedFuture(null);
    private @Nullable Way way;
    private int asked;
    /** Those that have been answered by nobody yet, each family by itself. */
    private int unanswered;

    private boolean isAsking;
    private boolean isGathering;
    private boolean isClosed;
    /** When the next question was due when the timer was set last; only while that has not come. */
    private @Nullable Long timed;

    /** How resolvers are asked. */
    private record Way(Asking asking, Later later, Counters.Shard<DnsCounter> counters) {}

    /**
     * Follows nothing, and asks nobody before it is started.
     *
     * @param executor tells listeners, one task after the other
     * @param nanoTime the time, as {@link System#nanoTime} tells it
     */
    public FollowedNames(Executor executor, LongSupplier nanoTime) {
        this(executor, nanoTime, FollowPace.DEFAULT);
    }

    FollowedNames(Executor executor, LongSupplier nanoTime, FollowPace pace) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.pace = pace;
    }

    /**
     * Asks from now on. Called once.
     *
     * @param later has what is due asked for
     * @param counters which nobody else writes
     */
    public void start(Asking asking, Later later, Counters.Shard<DnsCounter> counters) {
        synchronized (this) {
            way = new Way(asking, later, counters);
        }
        wake();
    }

    /** What tells listeners. */
    public Executor executor() {
        return executor;
    }

    /** Has {@code listener} told of names that fail, instead of the one before. */
    public void onTrouble(FollowTrouble listener) {
        trouble = listener;
    }

    /** The names that are followed, in lower case and without their last dots. */
    public Set<String> names() {
        return names.keySet();
    }

    /**
     * Follows these names and no others. Those that were followed before go on; those that are new are asked for at once.
     *
     * @param wanted in any case, with or without their last dots
     * @throws IllegalArgumentException if there are more than {@value #MOST_NAMES}; then nothing changes
     */
    public void follow(Set<String> wanted) {
        Set<String> next = new HashSet<>();
        wanted.forEach(name -> next.add(key(name)));
        Checks.between(next.size(), 0, MOST_NAMES, "followed names");
        synchronized (this) {
            if (isClosed) {
                return;
            }
            names.forEach((name, families) -> {
                if (!next.contains(name)) {
                    families.values().forEach(this::forget);
                }
            });
            Map<String, Map<AddressFamily, FollowedName>> kept = new HashMap<>();
            next.forEach(name -> {
                Map<AddressFamily, FollowedName> known = names.get(name);
                kept.put(name, known == null ? begin(name) : known);
            });
            names = Map.copyOf(kept);
            if (firstAnswers.isDone()) {
                firstAnswers = new CompletableFuture<>();
            }
            completeFirstAnswers();
        }
        wake();
    }

    private void forget(FollowedName name) {
        if (name.state().state() == State.UNKNOWN) {
            unanswered--;
        }
        name.forget();
        due.remove(name);
        failures.forget(name.name());
    }

    private Map<AddressFamily, FollowedName> begin(String name) {
        Map<AddressFamily, FollowedName> families = new EnumMap<>(AddressFamily.class);
        for (AddressFamily family : AddressFamily.values()) {
            FollowedName each = new FollowedName(name, family, nanoTime.getAsLong());
            families.put(family, each);
            due.add(each);
            unanswered++;
        }
        return families;
    }

    private void completeFirstAnswers() {
        if (unanswered == 0) {
            firstAnswers.complete(null);
        }
    }

    /**
     * Waits until every name that is followed has been answered, or has failed. Not for the executor, nor for an event loop.
     *
     * @return false if that takes longer
     */
    public boolean awaitFirstAnswers(Duration most) {
        try {
            firstAnswers.get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the process ends
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** There may be an answer now to what has failed: other resolvers are asked from now on. */
    public void retry() {
        synchronized (this) {
            long now = nanoTime.getAsLong();
            List<FollowedName> failed =
                    due.stream().filter(name -> name.state().failures() > 0).toList();
            for (FollowedName name : failed) {
                due.remove(name);
                name.state(name.state().dueAt(now));
                due.add(name);
            }
        }
        wake();
    }

    /** Asks for what is due by the clock. Returns at once. */
    public void wake() {
        synchronized (this) {
            if (isAsking || way == null) {
                return; // who asks looks for more when that is done
            }
            isAsking = true;
        }
        for (FollowedName next = next(); next != null; next = next()) {
            ask(next);
        }
    }

    private synchronized @Nullable FollowedName next() {
        FollowedName first = isClosed || asked >= MOST_ASKED ? null : due.peek();
        if (first != null && first.state().dueNanos() - nanoTime.getAsLong() <= 0) {
            due.remove();
            asked++;
            return first;
        }
        isAsking = false;
        if (first != null) {
            setTimer(first.state().dueNanos());
        }
        return null;
    }

    /** There is a timer for the earliest question; those that were set for later ones find nothing to do. */
    private void setTimer(long dueNanos) {
        Way set = way;
        if (set != null && (timed == null || dueNanos - timed < 0)) {
            timed = dueNanos;
            set.later().run(() -> executor.execute(() -> timed(dueNanos)), dueNanos - nanoTime.getAsLong());
        }
    }

    private void timed(long dueNanos) {
        synchronized (this) {
            if (timed != null && timed == dueNanos) {
                timed = null;
            }
        }
        wake();
    }

    private void ask(FollowedName name) {
        Way asks = way();
        asks.asking().ask(name.name(), name.family(), reply -> replied(name, reply));
    }

    private synchronized Way way() {
        return Objects.requireNonNull(way);
    }

    private void replied(FollowedName name, Reply reply) {
        boolean tells = false;
        synchronized (this) {
            asked--;
            if (isClosed) {
                return;
            }
            count(reply);
            if (!name.isGone()) {
                tells = take(name, reply);
            }
        }
        if (tells) {
            executor.execute(this::tell);
        }
        wake();
    }

    private void count(Reply reply) {
        if (way != null) {
            way.counters()
                    .increment(reply instanceof Reply.Failed ? DnsCounter.FOLLOW_FAILED : DnsCounter.FOLLOW_ANSWERED);
        }
    }

    /** Returns whether listeners are to be told, which nobody does yet. */
    private boolean take(FollowedName name, Reply reply) {
        long now = nanoTime.getAsLong();
        FollowState before = name.state();
        FollowState next = before.after(reply, pace, now);
        name.state(next);
        due.add(name);
        if (before.state() == State.UNKNOWN) {
            unanswered--;
            completeFirstAnswers();
        }
        boolean isFailing = next.isFailing(now);
        if (isFailing != name.isFailing()) {
            name.failing(isFailing);
            failures.note(name.name(), isFailing(name.name()), next.reason());
            gather();
        }
        return next.differsFrom(before) && changed.add(name.name()) && changed.size() == 1;
    }

    private boolean isFailing(String name) {
        return names.getOrDefault(name, Map.of()).values().stream().anyMatch(FollowedName::isFailing);
    }

    private void tell() {
        Set<String> told;
        synchronized (this) {
            told = Set.copyOf(changed);
            changed.clear();
        }
        listeners.forEach(listener -> listener.accept(told));
    }

    private void gather() {
        if (!isGathering && way != null) {
            isGathering = true;
            way.later().run(() -> executor.execute(this::tellTrouble), GATHERING.toNanos());
        }
    }

    private void tellTrouble() {
        Runnable told;
        synchronized (this) {
            isGathering = false;
            told = failures.take(trouble);
        }
        told.run();
    }

    @Override
    public FollowedAddresses of(String name, AddressFamily family) {
        Map<AddressFamily, FollowedName> families = names.get(key(name));
        FollowedName followed = families == null ? null : families.get(family);
        return followed == null
                ? FollowedAddresses.NOT_FOLLOWED
                : followed.state().at(nanoTime.getAsLong());
    }

    private static String key(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    @Override
    public Registration onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** How many names are in each state; one whose families differ counts by the worst of them. */
    public Map<State, Integer> states() {
        Map<State, Integer> counts = new EnumMap<>(State.class);
        names.values().forEach(families -> counts.merge(worst(families.values()), 1, Integer::sum));
        return counts;
    }

    private static State worst(Collection<FollowedName> families) {
        List<State> states = new ArrayList<>();
        families.forEach(name -> states.add(name.state().state()));
        for (State state : List.of(State.FAILED, State.STALE, State.UNKNOWN, State.KNOWN)) {
            if (states.contains(state)) {
                return state;
            }
        }
        return State.NONE;
    }

    /** Asks nobody any more, and tells nobody. What is known stays so; answers that are on their way are not waited for. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            due.clear();
            firstAnswers.complete(null);
        }
        listeners.clear();
        trouble = FollowTrouble.UNTOLD;
    }
}
