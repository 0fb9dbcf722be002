import unittest

from harness import soak, vitals


class GrowthTest(unittest.TestCase):
    def test_the_line_of_least_squares_rises_over_the_whole_run(self):
        self.assertAlmostEqual(vitals.growth([(0, 10), (1, 12), (2, 14)]), 4)
        self.assertAlmostEqual(vitals.growth([(0, 5), (1, 9), (2, 1), (3, 5)]), -2.4)

    def test_one_sample_has_no_growth(self):
        self.assertEqual(vitals.growth([(3, 10)]), 0)


class JudgeTest(unittest.TestCase):
    @staticmethod
    def rows(rss):
        """A run of 50 samples, in which resident memory is given by `rss` and all other values are constant."""
        samples = [(second, (rss(second), 4e6, 200, 11)) for second in range(50)]
        return {name: (rise, is_flat) for name, *_, rise, _, is_flat in vitals.evaluate(samples)}

    def test_a_constant_value_is_flat(self):
        self.assertTrue(all(is_flat for _, is_flat in self.rows(lambda second: 150e6).values()))

    def test_slow_growth_is_detected(self):
        rise, is_flat = self.rows(lambda second: 150e6 + second * 0.5e6)["RSS MB"]

        self.assertAlmostEqual(rise, 19.5)
        self.assertFalse(is_flat)

    def test_the_warm_up_does_not_count(self):
        self.assertTrue(self.rows(lambda second: min(150e6, 100e6 + second * 5e6))["RSS MB"][1])


class LeaksTest(unittest.TestCase):
    def test_a_leaked_buffer_is_found_in_the_log(self):
        log = "time=1 level=INFO ready\ntime=2 level=ERROR msg=\"LEAK: ByteBuf.release() was not called before\"\n"

        self.assertEqual(len(soak.leaks(log)), 1)
        self.assertEqual(soak.leaks("time=1 level=INFO ready\n"), [])
