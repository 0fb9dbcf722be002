package io.ballast.dns.follow;

import io.ballast.core.Checks;
import io.ballast.core.pool.Registration;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.data.AddressFamily;
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
 * Resolves alias targets outside the zones. New names are looked up immediately; known names are looked up again before
 * their TTL ends, as described in {@link FollowState}. At most {@value LookupScheduler#MAX_IN_FLIGHT} lookups are in
 * flight.
 *
 * <p>Thread safety: any thread may call any method. Changes are guarded by this object's lock; listeners are called
 * without it. Reads take no lock.
 */
public final class AliasResolver implements AliasAddresses, AutoCloseable {

    /** Maximum number of alias targets in a configuration. */
    public static final int MAX_NAMES = 1_000;

    /** Names that start or stop failing within this time are reported together. */
    static final Duration REPORT_DELAY = Duration.ofSeconds(1);

    /**
     * The states of a name in order of severity. If the address families of a name have different states, the
     * name is counted under the state that comes first in this list.
     */
    private static final List<State> WORST_FIRST =
            List.of(State.FAILED, State.STALE, State.UNKNOWN, State.KNOWN, State.NONE);

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final LookupScheduler questions;
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> changed = new HashSet<>();
    private final FailureBatcher failures = new FailureBatcher();
    private volatile Map<String, Map<AddressFamily, FollowedName>> names = Map.of();
    private volatile AliasFailureListener failure = AliasFailureListener.NO_OP;
    private volatile CompletableFuture<Void> firstAnswers = CompletableFuture.completedFuture(null);
    private @Nullable DelayedExecutor delayedExecutor;
    private Counters.@Nullable Shard<DnsCounter> counters;
    /** Number of pairs of a name and an address family that have no reply yet. */
    private int unansweredCount;

    private boolean isReportScheduled;
    private boolean isClosed;

    /**
     * Creates an instance without names, which sends no lookups before {@link #start}.
     *
     * @param executor executor that calls the listeners, one task at a time
     * @param nanoTime clock like {@link System#nanoTime}
     */
    public AliasResolver(Executor executor, LongSupplier nanoTime) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.questions = new LookupScheduler(executor, nanoTime, this::onReply);
    }

    /**
     * Starts to send lookups. Called once.
     *
     * @param timer timer for due lookups
     * @param shard counter shard without other writers
     */
    public void start(AddressLookup resolver, DelayedExecutor timer, Counters.Shard<DnsCounter> shard) {
        synchronized (this) {
            delayedExecutor = timer;
            counters = shard;
        }
        questions.start(resolver, timer);
    }

    /** Returns the executor that calls the listeners. */
    public Executor executor() {
        return executor;
    }

    /** Sets the listener that receives reports of failing names, replacing the previous one. */
    public void onFailure(AliasFailureListener listener) {
        failure = listener;
    }

    /** The names whose addresses this object looks up, in lower case and without their trailing dots. */
    public Set<String> names() {
        return names.keySet();
    }

    /**
     * Replaces the set of names whose addresses are looked up. Names in the previous set keep their state; new names
     * are looked up immediately.
     *
     * @param wanted names in any case, with or without their trailing dots
     * @throws IllegalArgumentException if there are more than {@value #MAX_NAMES}; in this case, nothing changes
     */
    public void follow(Set<String> wanted) {
        Set<String> next = keys(wanted);
        synchronized (this) {
            change(next);
        }
        questions.wake();
    }

    /**
     * Resolves these names in addition to the current ones while another configuration is prepared. {@link
     * #follow} then completes or reverts the change.
     */
    public void followAlso(Set<String> wanted) {
        Set<String> next = keys(wanted);
        synchronized (this) {
            next.addAll(names.keySet());
            change(next);
        }
        questions.wake();
    }

    /**
     * Replaces the set of names, see {@link #follow(Set)}. Then waits for the first lookups of all names, for at most
     * {@code max}.
     */
    public void follow(Set<String> wanted, Duration max) {
        follow(wanted);
        awaitFirstAnswers(max);
    }

    /** Adds alias targets to resolve. Then waits for the first lookups of all names, for at most {@code max}. */
    public void followAlso(Set<String> wanted, Duration max) {
        followAlso(wanted);
        awaitFirstAnswers(max);
    }

    private static Set<String> keys(Set<String> wanted) {
        Set<String> keys = new HashSet<>();
        wanted.forEach(name -> keys.add(key(name)));
        Checks.between(keys.size(), 0, MAX_NAMES, "followed names");
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
            unansweredCount++;
        }
        return families;
    }

    private void forget(FollowedName name) {
        if (name.state().state() == State.UNKNOWN) {
            unansweredCount--;
        }
        name.forget();
        questions.remove(name);
        failures.forget(name.name());
    }

    private void completeFirstAnswers() {
        if (unansweredCount == 0) {
            firstAnswers.complete(null);
        }
    }

    /**
     * Waits until the first lookups of all alias targets have succeeded or failed and the listeners have been
     * called. Must not be called on the executor or on an event loop.
     *
     * @return false on timeout
     */
    public boolean awaitFirstAnswers(Duration max) {
        try {
            firstAnswers.get(max.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // interrupted because the process is ending
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Looks up failed names immediately; used when the resolvers have changed. */
    public void retry() {
        questions.retry();
    }

    /** Sends the lookups that are due now. Normally, a timer does this. */
    public void wake() {
        questions.wake();
    }

    private void onReply(FollowedName name, LookupResult reply) {
        boolean isFirstChange = false;
        CompletableFuture<Void> awaited = null;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            if (counters != null) {
                counters.increment(
                        reply instanceof LookupResult.Failed ? DnsCounter.FOLLOW_FAILED : DnsCounter.FOLLOW_ANSWERED);
            }
            if (!name.isClosed()) {
                isFirstChange = applyReply(name, reply);
            }
            awaited = unansweredCount == 0 && !firstAnswers.isDone() ? firstAnswers : null;
        }
        if (isFirstChange) {
            executor.execute(this::notifyListeners);
        }
        if (awaited != null) {
            CompletableFuture<Void> first = awaited;
            executor.execute(() -> first.complete(null)); // runs after the listeners have been called
        }
    }

    /**
     * Applies a reply. Returns true if the caller must schedule a notification of the listeners, because none is
     * scheduled yet.
     */
    private boolean applyReply(FollowedName name, LookupResult reply) {
        long now = nanoTime.getAsLong();
        FollowState before = name.state();
        FollowState next = before.after(reply, RefreshPolicy.DEFAULT, now);
        name.state(next);
        questions.add(name);
        if (before.state() == State.UNKNOWN) {
            unansweredCount--;
        }
        boolean isFailing = next.isFailing(now);
        if (isFailing != name.isFailing()) {
            name.failing(isFailing);
            failures.note(name.name(), isFailing(name.name()), next.reason());
            scheduleReport();
        }
        return next.differsFrom(before) && changed.add(name.name()) && changed.size() == 1;
    }

    private boolean isFailing(String name) {
        return names.getOrDefault(name, Map.of()).values().stream().anyMatch(FollowedName::isFailing);
    }

    private void notifyListeners() {
        Set<String> changedNames;
        synchronized (this) {
            changedNames = Set.copyOf(changed);
            changed.clear();
        }
        listeners.forEach(listener -> listener.accept(changedNames));
    }

    private void scheduleReport() {
        if (!isReportScheduled && delayedExecutor != null) {
            isReportScheduled = true;
            delayedExecutor.run(() -> executor.execute(this::reportFailure), REPORT_DELAY.toNanos());
        }
    }

    private void reportFailure() {
        Runnable report;
        synchronized (this) {
            isReportScheduled = false;
            report = failures.takeReport(failure);
        }
        report.run();
    }

    @Override
    public FollowedAddresses addressesOf(String name, AddressFamily family) {
        Map<AddressFamily, FollowedName> families = names.get(key(name));
        FollowedName followed = families == null ? null : families.get(family);
        return followed == null
                ? FollowedAddresses.NOT_FOLLOWED
                : followed.state().toFollowedAddresses(nanoTime.getAsLong());
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

    /**
     * Returns the number of names in each state. If the two address families of a name have different states,
     * the name is counted under the worse state.
     */
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

    /** Stops all lookups and reports. The state is kept; lookups in flight are not awaited. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            firstAnswers.complete(null);
        }
        questions.close();
        listeners.clear();
        failure = AliasFailureListener.NO_OP;
    }
}
