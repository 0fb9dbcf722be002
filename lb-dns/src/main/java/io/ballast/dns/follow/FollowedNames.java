package io.ballast.dns.follow;

import io.ballast.core.Checks;
import io.ballast.core.pool.Registration;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.stats.DnsCounter;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * FollowState} says. At most {@value Questions#MOST_ASKED} questions are on their way at once.
 *
 * <p>Thread safety: any thread may call any method. What changes is guarded by this; listeners are called without that. Reading
 * takes no lock.
 */
public final class FollowedNames implements Followed, AutoCloseable {

    /** Names of a configuration. */
    public static final int MOST_NAMES = 1_000;

    /** Names that begin or end to fail within this time are told of together. */
    static final Duration GATHERING = Duration.ofSeconds(1);

    /** The states of a name's families by which the name counts, the first one that there is. */
    private static final List<State> WORST_FIRST =
            List.of(State.FAILED, State.STALE, State.UNKNOWN, State.KNOWN, State.NONE);

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final Questions questions;
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> changed = new HashSet<>();
    private final FailureGathering failures = new FailureGathering();
    private volatile Map<String, Map<AddressFamily, FollowedName>> names = Map.of();
    private volatile FollowTrouble trouble = FollowTrouble.UNTOLD;
    private volatile CompletableFuture<Void> firstAnswers = CompletableFuture.completedFuture(null);
    private @Nullable Later later;
    private Counters.@Nullable Shard<DnsCounter> counters;
    /** Families of names about which nothing has come. */
    private int unanswered;

    private boolean isGathering;
    private boolean isClosed;

    /**
     * Follows nothing, and asks nobody before it is started.
     *
     * @param executor tells listeners, one task after the other
     * @param nanoTime the time, as {@link System#nanoTime} tells it
     */
    public FollowedNames(Executor executor, LongSupplier nanoTime) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.questions = new Questions(executor, nanoTime, this::replied);
    }

    /**
     * Asks from now on. Called once.
     *
     * @param timer has names asked for when they are due
     * @param shard of the counters, which nobody else writes
     */
    public void start(Asking asking, Later timer, Counters.Shard<DnsCounter> shard) {
        synchronized (this) {
            later = timer;
            counters = shard;
        }
        questions.start(asking, timer);
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
        Set<String> next = keys(wanted);
        synchronized (this) {
            change(next);
        }
        questions.wake();
    }

    /**
     * Likewise follows these names besides those that are followed: another configuration is prepared, which is put in force, or
     * given up, by {@link #follow}.
     */
    public void followAlso(Set<String> wanted) {
        Set<String> next = keys(wanted);
        synchronized (this) {
            next.addAll(names.keySet());
            change(next);
        }
        questions.wake();
    }

    /** Likewise, and waits for the first answers as {@link #awaitFirstAnswers} does. */
    public void follow(Set<String> wanted, Duration most) {
        follow(wanted);
        awaitFirstAnswers(most);
    }

    /** Likewise, and waits for the first answers as {@link #awaitFirstAnswers} does. */
    public void followAlso(Set<String> wanted, Duration most) {
        followAlso(wanted);
        awaitFirstAnswers(most);
    }

    private static Set<String> keys(Set<String> wanted) {
        Set<String> keys = new HashSet<>();
        wanted.forEach(name -> keys.add(key(name)));
        Checks.between(keys.size(), 0, MOST_NAMES, "followed names");
        return keys;
    }

    private void change(Set<String> wanted) {
        if (isClosed) {
            return;
        }
        names.forEach((name, families) -> {
            if (!wanted.contains(name)) {
                families.values().forEach(this::forget);
            }
        });
        if (firstAnswers.isDone()) {
            firstAnswers = new CompletableFuture<>();
        }
        Map<String, Map<AddressFamily, FollowedName>> next = new HashMap<>();
        for (String name : wanted) {
            Map<AddressFamily, FollowedName> known = names.get(name);
            next.put(name, known == null ? begin(name) : known);
        }
        names = Map.copyOf(next);
        completeFirstAnswers();
    }

    private Map<AddressFamily, FollowedName> begin(String name) {
        Map<AddressFamily, FollowedName> families = new EnumMap<>(AddressFamily.class);
        for (AddressFamily family : AddressFamily.values()) {
            FollowedName each = new FollowedName(name, family, nanoTime.getAsLong());
            families.put(family, each);
            questions.add(each);
            unanswered++;
        }
        return families;
    }

    private void forget(FollowedName name) {
        if (name.state().state() == State.UNKNOWN) {
            unanswered--;
        }
        name.forget();
        questions.remove(name);
        failures.forget(name.name());
    }

    private void completeFirstAnswers() {
        if (unanswered == 0) {
            firstAnswers.complete(null);
        }
    }

    /**
     * Waits until every name that is followed has been answered, or has failed, and listeners know. Not for the executor, nor for an event loop.
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

    /** Asks at once for what has failed: there may be an answer now, since other resolvers are asked. */
    public void retry() {
        questions.retry();
    }

    /** Asks for what is due by the clock, as the timer does. */
    public void wake() {
        questions.wake();
    }

    private void replied(FollowedName name, Reply reply) {
        boolean isFirstChange = false;
        CompletableFuture<Void> awaited = null;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            if (counters != null) {
                counters.increment(
                        reply instanceof Reply.Failed ? DnsCounter.FOLLOW_FAILED : DnsCounter.FOLLOW_ANSWERED);
            }
            if (!name.isGone()) {
                isFirstChange = take(name, reply);
            }
            awaited = unanswered == 0 && !firstAnswers.isDone() ? firstAnswers : null;
        }
        if (isFirstChange) {
            executor.execute(this::tell);
        }
        if (awaited != null) {
            CompletableFuture<Void> first = awaited;
            executor.execute(() -> first.complete(null)); // behind the listeners
        }
    }

    /** Returns whether somebody has to tell listeners, since nobody has to yet. */
    private boolean take(FollowedName name, Reply reply) {
        long now = nanoTime.getAsLong();
        FollowState before = name.state();
        FollowState next = before.after(reply, FollowPace.DEFAULT, now);
        name.state(next);
        questions.add(name);
        if (before.state() == State.UNKNOWN) {
            unanswered--;
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
        if (!isGathering && later != null) {
            isGathering = true;
            later.run(() -> executor.execute(this::tellTrouble), GATHERING.toNanos());
        }
    }

    private void tellTrouble() {
        Runnable telling;
        synchronized (this) {
            isGathering = false;
            telling = failures.take(trouble);
        }
        telling.run();
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
        return WORST_FIRST.stream()
                .filter(state -> families.stream().anyMatch(name -> name.state().state() == state))
                .findFirst()
                .orElseThrow();
    }

    /** Asks nobody any more, and tells nobody. What is known stays so; what is on its way is not waited for. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            firstAnswers.complete(null);
        }
        questions.close();
        listeners.clear();
        trouble = FollowTrouble.UNTOLD;
    }
}
