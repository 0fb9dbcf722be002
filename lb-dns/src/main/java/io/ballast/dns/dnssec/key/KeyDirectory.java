package io.ballast.dns.dnssec.key;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * The key files of one zone: {@code <data_dir>/dnssec/<zone>/K<zone>.+<algorithm>+<tag>.private} and {@code .key}, in
 * the format of BIND's tools. Only the owner of the files may read them. Each file is replaced atomically.
 *
 * <p>An existing but unusable file is an error, and is never replaced: a new key would make the zone bogus while the
 * parent zone's DS record refers to the old key. Thread safety: may be used by several threads and processes; {@link
 * #changeExclusively} serializes changes.
 */
public final class KeyDirectory {

    /**
     * Locks that serialize changes within this process, one per directory. They are needed in addition to the
     * file lock, which does not exclude other threads of the same process.
     */
    private static final Map<Path, ReentrantLock> CHANGING = new ConcurrentHashMap<>();

    private static final String PRIVATE = ".private";
    private static final String PUBLIC = ".key";

    private final Path directory;
    private final String zone;
    private final String fileName;

    /**
     * @param dataDir the data directory, which persists across restarts
     * @param zone zone name in lower case, without the final dot
     */
    public KeyDirectory(Path dataDir, String zone) {
        this(dataDir.resolve("dnssec").resolve(fileName(zone)), zone, fileName(zone));
    }

    private KeyDirectory(Path directory, String zone, String fileName) {
        this.directory = directory;
        this.zone = zone;
        this.fileName = fileName;
    }

    /** Escapes characters that are special in file names, like BIND does. */
    private static String fileName(String zone) {
        Checks.that(!zone.isEmpty(), "zone", zone, "a name that can be a directory name");
        return zone.replace("/", "%2F").replace("*", "%2A");
    }

    /** Returns a directory inside this directory, for other versions of the zone's keys. */
    KeyDirectory inside(String name) {
        return new KeyDirectory(directory.resolve(name), zone, fileName);
    }

    /** The directory of the key files. */
    public Path path() {
        return directory;
    }

    String zone() {
        return zone;
    }

    /**
     * Loads all keys, oldest first. Returns no keys if the directory is empty or missing.
     *
     * @throws KeyFileException if a file cannot be read, is invalid, or its counterpart is missing
     */
    public List<ManagedKey> load() throws KeyFileException {
        List<ManagedKey> keys = new ArrayList<>();
        for (String name : names()) {
            keys.add(load(name));
        }
        keys.sort(Comparator.comparing(KeyDirectory::age)
                .thenComparing(key -> key.file().toString()));
        return keys;
    }

    private static long age(ManagedKey key) {
        var created = key.times().created();
        return created == null ? Long.MIN_VALUE : created.getEpochSecond();
    }

    /** Returns the names of all key files, without the suffixes of the private and the public file. */
    private SortedSet<String> names() throws KeyFileException {
        SortedSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "K*{" + PRIVATE + "," + PUBLIC + "}")) {
            for (Path file : files) {
                names.add(file.getFileName().toString().replaceFirst("\\.(private|key)$", ""));
            }
            return names;
        } catch (NoSuchFileException e) {
            return names;
        } catch (IOException e) {
            throw new KeyFileException(directory, e);
        }
    }

    /** Like {@link #load}, but first waits until no {@link #changeExclusively} call of this process is running. */
    List<ManagedKey> loadBetweenChanges() throws IOException {
        ReentrantLock own = changing();
        own.lock();
        try {
            return load();
        } finally {
            own.unlock();
        }
    }

    /** Returns the texts of all key files by file name, whether or not they are valid. */
    SortedMap<String, String> texts() throws KeyFileException {
        SortedMap<String, String> texts = new TreeMap<>();
        for (String name : names()) {
            for (String suffix : List.of(PUBLIC, PRIVATE)) {
                Path file = directory.resolve(name + suffix);
                if (Files.exists(file)) {
                    texts.put(name + suffix, PrivateFiles.read(file));
                }
            }
        }
        return texts;
    }

    private ManagedKey load(String name) throws KeyFileException {
        Path privateFile = directory.resolve(name + PRIVATE);
        Path publicFile = directory.resolve(name + PUBLIC);
        String pattern = "K" + Pattern.quote(fileName) + "\\.\\+[0-9]{3}\\+[0-9]{5}";
        if (!name.matches(pattern)) {
            throw new KeyFileException(
                    privateFile,
                    "invalid name of a key file of this zone (expected: K" + fileName + ".+ALGORITHM+TAG" + PRIVATE
                            + ")");
        }
        PublicKeyFile publicHalf = parse(publicFile, privateFile, PublicKeyFile::parse);
        PrivateKeyFile privateHalf = parse(privateFile, publicFile, PrivateKeyFile::parse);
        try {
            Checks.that(publicHalf.zone().equals(zone), "zone", publicHalf.zone(), zone);
            Checks.that(
                    privateHalf.algorithm() == publicHalf.algorithm(),
                    "Algorithm",
                    privateHalf.algorithm(),
                    publicHalf.algorithm() + ", as " + publicFile + " specifies");
            SigningKey key =
                    SigningKey.of(publicHalf.algorithm(), publicHalf.publicBytes(), privateHalf.privateBytes());
            Checks.that(name.equals(name(key)), "file name", name, name(key) + ", to match the key in it");
            return new ManagedKey(key, privateHalf.times(), privateFile);
        } catch (IllegalArgumentException e) {
            throw new KeyFileException(privateFile, ErrorText.of(e));
        }
    }

    private interface Parser<T> {
        T parse(String text);
    }

    private static <T> T parse(Path file, Path otherHalf, Parser<T> parser) throws KeyFileException {
        if (!Files.exists(file)) {
            throw new KeyFileException(
                    file,
                    "missing, though " + otherHalf + " exists (expected: both; restore it from a backup, or remove the"
                            + " other file if no DS record in the parent zone refers to this"
                            + " key)");
        }
        try {
            return parser.parse(PrivateFiles.read(file));
        } catch (IllegalArgumentException e) {
            throw new KeyFileException(file, ErrorText.of(e));
        }
    }

    private String name(SigningKey key) {
        String tag = Integer.toString(100_000 + key.tag()).substring(1);
        String algorithm = Integer.toString(1_000 + key.algorithm().number()).substring(1);
        return "K" + fileName + ".+" + algorithm + "+" + tag;
    }

    /** Generates a key, and returns its files without writing them. */
    KeyBundle generate(KeyAlgorithm algorithm, KeyTimes times) {
        SigningKey key = SigningKey.generate(algorithm);
        SortedMap<String, String> files = new TreeMap<>();
        files.put(name(key) + PUBLIC, PublicKeyFile.text(zone, key));
        files.put(name(key) + PRIVATE, PrivateKeyFile.of(key, times).text());
        return new KeyBundle(files);
    }

    /** Generates a key and writes its files. */
    ManagedKey create(KeyAlgorithm algorithm, KeyTimes times) throws IOException {
        PrivateFiles.createDirectory(directory);
        SigningKey key = SigningKey.generate(algorithm);
        while (Files.exists(directory.resolve(name(key) + PUBLIC))) {
            key = SigningKey.generate(algorithm);
        }
        Path file = directory.resolve(name(key) + PRIVATE);
        PrivateFiles.write(directory.resolve(name(key) + PUBLIC), PublicKeyFile.text(zone, key));
        PrivateFiles.write(file, PrivateKeyFile.of(key, times).text());
        return new ManagedKey(key, times, file);
    }

    /** Writes the times of a key to its file. */
    void update(ManagedKey key, KeyTimes times) throws IOException {
        PrivateKeyFile file = PrivateKeyFile.parse(PrivateFiles.read(key.file()));
        file.set(times);
        PrivateFiles.write(key.file(), file.text());
    }

    /** A change of the key files that {@link #changeExclusively} runs. */
    interface Change<T> {
        T make() throws IOException;
    }

    /**
     * Runs a change exclusively. Waits for changes by other threads of this process, but fails if another process
     * is making a change.
     */
    <T> T changeExclusively(Change<T> change) throws IOException {
        PrivateFiles.createDirectory(directory);
        ReentrantLock own = changing();
        own.lock();
        try {
            return changeWithFileLock(change);
        } finally {
            own.unlock();
        }
    }

    private ReentrantLock changing() throws IOException {
        return CHANGING.computeIfAbsent(directory.toRealPath(), path -> new ReentrantLock());
    }

    private <T> T changeWithFileLock(Change<T> change) throws IOException {
        Path file = directory.resolve(".lock");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new KeyFileException(
                        file, "locked by another process that is changing the keys (expected: one process at a time)");
            }
            return change.make();
        }
    }
}
