package io.ballast.http.files;

import io.ballast.http.config.RouteAction;
import io.ballast.http.head.HttpTime;
import io.ballast.net.listen.FileDescriptorReserve;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a route: finds the file, evaluates conditions and ranges, and composes the head. All methods
 * block. Thread safety: all methods may be called concurrently.
 */
final class FileResponder {

    private static final String NO_CACHE = "no-cache";

    private final RouteAction.Files config;
    private final FileLookup files;

    FileResponder(RouteAction.Files config) {
        this.config = config;
        this.files = new FileLookup(config.root());
    }

    /**
     * Prepares the response to a request, but does not read the body of the file.
     *
     * @param allocator for the body of an error response
     * @throws IOException if the file system fails
     */
    FileAnswer answer(FileRequest request, ByteBufAllocator allocator) throws IOException {
        if (!request.isRead()) {
            return error(405, new FileHead(405).add("Allow", "GET, HEAD"), allocator);
        }
        try {
            FileAnswer answer = find(request, allocator);
            return answer == null ? error(404, allocator) : answer;
        } catch (AccessDeniedException e) {
            return error(403, allocator);
        } catch (IOException e) {
            if (FileDescriptorReserve.isDescriptorExhaustion(e)) {
                return error(503, allocator);
            }
            throw e;
        }
    }

    private @Nullable FileAnswer find(FileRequest request, ByteBufAllocator allocator) throws IOException {
        FilePath path = request.path();
        if (path == null) {
            return null;
        }
        FileAnswer known = known(path.isDirectory() ? indexOf(path) : path.name(), request, allocator);
        if (known != null) {
            return known;
        }
        FileAnswer found = path.isDirectory() ? index(path, request, allocator) : file(path, request, allocator);
        if (found == null && config.fallback().isPresent() && request.isForPage()) {
            String fallback = config.fallback().get().substring(1);
            return send(fallback, files.find(fallback), request, NO_CACHE, allocator);
        }
        return found;
    }

    /** Sends a file that was also sent within the last second; null if the file must be looked up again. */
    private @Nullable FileAnswer known(String name, FileRequest request, ByteBufAllocator allocator)
            throws IOException {
        OpenFile file = config.precompressed() ? null : files.reopen(name);
        return file == null
                ? null
                : send(
                        file,
                        /* coding= */ null,
                        FileMediaTypes.of(name),
                        request,
                        config.cacheControl().orElse(null),
                        allocator);
    }

    private @Nullable FileAnswer index(FilePath path, FileRequest request, ByteBufAllocator allocator)
            throws IOException {
        String name = indexOf(path);
        return send(name, files.find(name), request, config.cacheControl().orElse(null), allocator);
    }

    private String indexOf(FilePath path) {
        return path.name().isEmpty() ? config.index() : path.name() + "/" + config.index();
    }

    private @Nullable FileAnswer file(FilePath path, FileRequest request, ByteBufAllocator allocator)
            throws IOException {
        Path real = files.find(path.name());
        if (real == null) {
            return null;
        }
        if (!FileLookup.isDirectory(real)) {
            return send(path.name(), real, request, config.cacheControl().orElse(null), allocator);
        }
        Path index = files.find(indexOf(path));
        return index != null && FileLookup.isFile(index)
                ? new FileAnswer(redirect(request.target()), null, null, 0, 0)
                : null;
    }

    /** Redirects to the path with a final slash, so that relative references of the index work. */
    private static byte[] redirect(String target) {
        return new FileHead(301)
                .add("Location", DirectoryLocation.of(target))
                .add("Content-Length", 0)
                .bytes();
    }

    /**
     * Sends a file, or a precompressed form of it; null if neither exists.
     *
     * @param real the path that {@link FileLookup#find} returned; null for none
     */
    private @Nullable FileAnswer send(
            String name,
            @Nullable Path real,
            FileRequest request,
            @Nullable String cacheControl,
            ByteBufAllocator allocator)
            throws IOException {
        if (real == null) {
            return null;
        }
        OpenFile file = null;
        FileCoding coding = null;
        if (config.precompressed() && FileLookup.isFile(real)) {
            for (FileCoding accepted : FileCoding.accepted(request.acceptEncoding())) {
                file = open(name + accepted.suffix());
                if (file != null) {
                    coding = accepted;
                    break;
                }
            }
        }
        if (file == null) {
            file = FileLookup.open(real);
        }
        if (file == null) {
            return null; // the file was just deleted, or is not a regular file
        }
        if (!config.precompressed()) {
            files.remember(name, real, file);
        }
        return send(file, coding, FileMediaTypes.of(name), request, cacheControl, allocator);
    }

    private @Nullable OpenFile open(String name) throws IOException {
        Path real = files.find(name);
        return real == null ? null : FileLookup.open(real);
    }

    private FileAnswer send(
            OpenFile file,
            @Nullable FileCoding coding,
            String type,
            FileRequest request,
            @Nullable String cacheControl,
            ByteBufAllocator allocator)
            throws IOException {
        boolean keepsOpen = false;
        try {
            String tag = file.tag(coding);
            FileConditions.Result result = request.conditions().evaluate(tag, file.modified());
            if (result == FileConditions.Result.FAILED) {
                return error(412, allocator);
            }
            FileRange range = result == FileConditions.Result.MET ? range(request, file, tag) : null;
            if (range != null && range.length() == 0) {
                return error(416, new FileHead(416).add("Content-Range", "bytes */" + file.size()), allocator);
            }
            byte[] head = head(result, range, file, coding, type, tag, cacheControl);
            if (result == FileConditions.Result.NOT_MODIFIED || !request.isGet()) {
                return new FileAnswer(head, null, null, 0, 0);
            }
            FileRange part = range == null ? new FileRange(0, file.size()) : range;
            keepsOpen = part.length() > 0;
            return new FileAnswer(head, null, keepsOpen ? file : null, part.from(), part.length());
        } finally {
            if (!keepsOpen) {
                file.close();
            }
        }
    }

    private static @Nullable FileRange range(FileRequest request, OpenFile file, String tag) {
        String range = request.range();
        return range == null || !request.isGet() || !request.conditions().allowsRange(tag, file.modified())
                ? null
                : FileRange.parse(range, file.size());
    }

    private byte[] head(
            FileConditions.Result result,
            @Nullable FileRange range,
            OpenFile file,
            @Nullable FileCoding coding,
            String type,
            String tag,
            @Nullable String cacheControl) {
        boolean isNotModified = result == FileConditions.Result.NOT_MODIFIED;
        FileHead head = new FileHead(isNotModified ? 304 : range == null ? 200 : 206);
        if (!isNotModified) {
            head.add("Content-Length", range == null ? file.size() : range.length());
            head.add("Content-Type", type);
            head.add("Accept-Ranges", "bytes");
            if (coding != null) {
                head.add("Content-Encoding", coding.token());
            }
        }
        if (range != null) {
            long last = range.from() + range.length() - 1;
            head.add("Content-Range", "bytes " + range.from() + "-" + last + "/" + file.size());
        }
        head.add("Last-Modified", HttpTime.format(file.modified().toEpochMilli()))
                .add("ETag", tag);
        if (config.precompressed()) {
            head.add("Vary", "Accept-Encoding");
        }
        if (cacheControl != null) {
            head.add("Cache-Control", cacheControl);
        }
        return head.bytes();
    }

    /** Prepares an error response. */
    static FileAnswer error(int status, ByteBufAllocator allocator) {
        return error(status, new FileHead(status), allocator);
    }

    private static FileAnswer error(int status, FileHead head, ByteBufAllocator allocator) {
        byte[] text = FileHead.text(status).getBytes(StandardCharsets.US_ASCII);
        head.add("Content-Length", text.length).add("Content-Type", "text/plain; charset=utf-8");
        return new FileAnswer(head.bytes(), allocator.directBuffer(text.length).writeBytes(text), null, 0, 0);
    }
}
