package io.ballast.dns.dnssec.key;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes changes of keys from commands to the running process on a node of a cluster: the command writes a proposal to
 * the key directory, the running process submits it to the cluster, and writes the result. The key files change only
 * after the cluster has accepted the proposal.
 *
 * <p>Thread safety: one command and one process may use the same directory at the same time; another command is
 * refused.
 */
public final class KeyProposals {

    /** The age from which the process ignores a proposal, because the command no longer waits for the result. */
    public static final Duration MAX_AGE = Duration.ofSeconds(30);

    /** Maximum time until all connected nodes use the keys that the cluster has committed. */
    public static final Duration MAX_PROPAGATION = Duration.ofSeconds(10);

    /** The result of an accepted proposal. */
    public static final String COMMITTED = "committed";

    /** The maximum number of keys in a proposal. If there are more, the oldest removed keys are omitted. */
    static final int MAX_KEYS = 20;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final String REQUEST = ".proposal";
    private static final String RESULT = ".proposal-result";
    private static final String WORK = ".proposal-keys";

    private final KeyDirectory directory;
    private final Path request;
    private final Path result;

    public KeyProposals(KeyDirectory directory) {
        this.directory = directory;
        this.request = directory.path().resolve(REQUEST);
        this.result = directory.path().resolve(RESULT);
    }

    /** A change of keys. */
    public interface Change {
        /** @param keys a copy of the keys */
        void make(KeyDirectory keys) throws IOException;
    }

    /**
     * Makes a change on a copy of the keys, proposes the result, and waits until the cluster has accepted it and the
     * key files of this node are replaced. Called by commands.
     *
     * @param max the maximum wait until the process takes the proposal; the wait for the result has the same limit
     * @throws IOException if the change is not possible or not accepted; the message says whether keys have changed
     */
    public void propose(Change change, Clock clock, Duration max) throws IOException {
        KeyDirectory work = directory.inside(WORK);
        boolean unused = work.changeExclusively(() -> {
            KeyDirectory copy = work.inside("keys");
            try {
                KeyBundle base = new SharedKeyFiles(directory).read(clock.instant());
                SharedKeyFiles.write(base, copy);
                change.make(copy);
                removeOldest(copy, clock.instant());
                KeyBundle next = new SharedKeyFiles(copy).read(clock.instant());
                submit(new KeyProposal(UUID.randomUUID().toString(), clock.instant(), base.hash(), next), max);
            } finally {
                SharedKeyFiles.remove(copy.path());
            }
            return true;
        });
    }

    /** Omits the oldest keys that are no longer used, so that the number of keys is bounded. */
    private static void removeOldest(KeyDirectory copy, Instant now) throws IOException {
        var keys = copy.load();
        int excess = keys.size() - MAX_KEYS;
        for (ManagedKey key : keys) {
            if (excess > 0 && key.state(now) == KeyState.REMOVED) {
                excess--;
                Files.delete(key.file());
                Files.delete(Path.of(key.file().toString().replaceFirst("\\.private$", ".key")));
            }
        }
    }

    private void submit(KeyProposal proposal, Duration max) throws IOException {
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            WatchKey unused = directory
                    .path()
                    .register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            Files.deleteIfExists(result);
            PrivateFiles.write(request, proposal.text());
            String outcome = await(watch, proposal, max);
            if (outcome == null && Files.deleteIfExists(request)) {
                throw new KeyFileException(
                        directory.path(),
                        "no running process with this configuration has taken the change; nothing has changed (start"
                                + " 'lb run', and run this command again)");
            }
            outcome = outcome == null ? await(watch, proposal, max) : outcome;
            if (outcome == null) {
                throw new KeyFileException(
                        directory.path(),
                        "the cluster did not answer in time; it may accept the change later (check 'lb dnssec"
                                + " status')");
            }
            if (!outcome.equals(COMMITTED)) {
                throw new KeyFileException(directory.path(), outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KeyFileException(directory.path(), "interrupted; the cluster may accept the change later");
        }
    }

    /** Waits for the result; null if there is none after {@code max}. */
    private @Nullable String await(WatchService watch, KeyProposal proposal, Duration max)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + max.toNanos();
        while (System.nanoTime() - end < 0) {
            if (Files.exists(result)) {
                String[] parts = PrivateFiles.read(result).split(" ", /* limit= */ 2);
                if (parts.length == 2 && parts[0].equals(proposal.id())) {
                    Files.deleteIfExists(result);
                    return parts[1].strip();
                }
            }
            WatchKey event = watch.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
            if (event != null) {
                event.pollEvents();
                event.reset();
            }
        }
        return null;
    }

    /**
     * Returns the proposal of a command and deletes its file. Returns empty if there is no proposal, or if the command
     * no longer waits for the result. Called by the process.
     *
     * @throws IOException if the file cannot be read or its content is invalid; the file is then deleted if possible
     */
    public Optional<KeyProposal> take(Instant now) throws IOException {
        if (!Files.exists(request)) {
            return Optional.empty();
        }
        KeyProposal taken;
        try {
            taken = KeyProposal.parse(PrivateFiles.read(request));
        } catch (IllegalArgumentException e) {
            throw new KeyFileException(request, ErrorText.of(e));
        } finally {
            Files.deleteIfExists(request);
        }
        boolean isOld = taken.since().plus(MAX_AGE).isBefore(now);
        return isOld ? Optional.empty() : Optional.of(taken);
    }

    /**
     * Writes the result for the command that has made the proposal.
     *
     * @param outcome {@link #COMMITTED}, or the reason why the keys have not changed
     */
    public void answer(KeyProposal proposal, String outcome) throws IOException {
        PrivateFiles.write(result, proposal.id() + ' ' + outcome + '\n');
    }
}
