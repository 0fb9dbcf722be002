package io.ballast.discovery.kubernetes;

/**
 * Compares the resource versions of two objects. They can be compared only if both are decimal numbers, which
 * is the case for Kubernetes' own objects.
 */
final class ResourceVersion {

    private ResourceVersion() {}

    /** Whether {@code version} is older than {@code other}; false if one of them is not a number. */
    static boolean isBefore(String version, String other) {
        if (!isNumber(version) || !isNumber(other)) {
            return false;
        }
        return version.length() == other.length() ? version.compareTo(other) < 0 : version.length() < other.length();
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.charAt(0) != '0' && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }
}
