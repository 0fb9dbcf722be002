package io.ballast.http.route.destination;

import io.ballast.core.Checks;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The template of a redirect's {@code Location}: a URL or path with variables, replaced by parts of the request. A
 * scanned request contains no bytes that could end the header line. Immutable.
 *
 * <p>A client cannot choose the host: if a local path would start with {@code //host}, the extra slashes are removed.
 */
public final class LocationTemplate {

    private static final String EXPECTED =
            "a URL or path such as https://$host$uri or /new$path; the variables are $host, $authority, $path, $query and $uri";

    // No variable under the client's control may extend the authority: only a slash, a question mark, or a path may
    // follow the authority.
    private static final String END = "(?![A-Za-z0-9_])";
    private static final String AUTHORITY = "(?:[A-Za-z0-9.:\\[\\]_-]++|\\$(?:host|authority)" + END + ")+";
    private static final String REST = "(?:[!#%-~]++|\\$(?:host|authority|path|query|uri)" + END + ")*";
    private static final String PATH = "\\$(?:path|uri)" + END + REST;
    private static final Pattern SYNTAX = Pattern.compile(
            "(?:https?:)?//" + AUTHORITY + "(?:[/?#]" + REST + "|" + PATH + ")?|/(?!/)" + REST + "|" + PATH);
    private static final Pattern VARIABLE = Pattern.compile("\\$(host|authority|path|query|uri)");

    private enum Variable {
        HOST,
        AUTHORITY,
        PATH,
        QUERY,
        URI
    }

    /** A literal text, a variable that follows it, or both. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is never exposed
    private record Piece(byte[] text, @Nullable Variable variable) {}

    private final Piece[] pieces;
    private final boolean needsHost;
    private final boolean isLocal;

    private LocationTemplate(List<Piece> pieces, boolean isLocal) {
        this.pieces = pieces.toArray(new Piece[0]);
        this.needsHost = pieces.stream()
                .anyMatch(piece -> piece.variable == Variable.HOST || piece.variable == Variable.AUTHORITY);
        this.isLocal = isLocal;
    }

    /**
     * Compiles a template.
     *
     * @throws IllegalArgumentException if it is neither an HTTP URL nor a path, contains anything but visible ASCII, or
     *     names an unknown variable
     */
    public static LocationTemplate of(String text) {
        Checks.that(SYNTAX.matcher(text).matches(), "to", text, EXPECTED);
        List<Piece> pieces = new ArrayList<>();
        Matcher matcher = VARIABLE.matcher(text);
        int end = 0;
        while (matcher.find()) {
            Variable variable = Variable.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
            pieces.add(new Piece(bytes(text.substring(end, matcher.start())), variable));
            end = matcher.end();
        }
        pieces.add(new Piece(bytes(text.substring(end)), null));
        return new LocationTemplate(pieces, !text.startsWith("http") && !text.startsWith("//"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether the template cannot be used for a request without a host. */
    boolean needsHost() {
        return needsHost;
    }

    /** Appends the location for a request, after applying the route's path rewrite. */
    void append(RoutedRequest request, @Nullable PathRewriter rewriter, RouteScratch scratch, ByteAppender target) {
        int pathEnd = RouteScratch.pathEnd(request);
        for (Piece piece : pieces) {
            target.append(piece.text);
            if (piece.variable != null) {
                switch (piece.variable) {
                    case HOST -> target.append(request.bytes(), request.hostStart(), request.hostEnd());
                    case AUTHORITY -> target.append(request.bytes(), request.hostStart(), request.authorityEnd());
                    case PATH -> appendPath(request, pathEnd, rewriter, scratch, target);
                    case QUERY ->
                        target.append(request.bytes(), Math.min(pathEnd + 1, request.pathEnd()), request.pathEnd());
                    case URI -> {
                        appendPath(request, pathEnd, rewriter, scratch, target);
                        target.append(request.bytes(), pathEnd, request.pathEnd());
                    }
                }
            }
        }
        if (isLocal) {
            keepLocal(target);
        }
    }

    private static void appendPath(
            RoutedRequest request,
            int pathEnd,
            @Nullable PathRewriter rewriter,
            RouteScratch scratch,
            ByteAppender target) {
        int from = request.pathStart();
        if (from == pathEnd || request.bytes()[from] != '/') {
            target.append((byte) '/'); // an absolute target without a path, or the asterisk of an OPTIONS request
        } else if (rewriter != null) {
            rewriter.append(request.bytes(), from, pathEnd, scratch, target);
        } else {
            target.append(request.bytes(), from, pathEnd);
        }
    }

    /** Removes slashes and backslashes after the first slash; browsers treat a backslash as a slash. */
    private static void keepLocal(ByteAppender target) {
        int end = 1;
        while (end < target.length() && (target.bytes()[end] == '/' || target.bytes()[end] == '\\')) {
            end++;
        }
        target.delete(1, end);
    }
}
