"""The checker of the include lines, on small trees with and without a planted violation."""

import tempfile
import unittest
from pathlib import Path

from check_includes import violations


def check(files):
    """The violations in a tree that is given as path -> text."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            (Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(root) / path).write_text(text)
        return list(violations(root))


class CheckIncludes(unittest.TestCase):
    def test_a_tree_that_points_one_way_passes(self):
        self.assertEqual(check({
            "oracles/formats/format.cpp": '#include "oracles/formats/format.hpp"\n#include <bit>\n',
            "oracles/numbers/dd.hpp": '#include "oracles/formats/format.hpp"\n',
            "oracles/rules/adamw.cpp": '#include "oracles/numbers/dd.hpp"\n#include <mpfr.h>\n',
            "kernels/adamw/adamw.cuh": '#include "kernels/backend/launch.cuh"\n',
            "kernels/adamw/adamw.cu": '#include "driftgate/kernel.h"\n#include "adamw.cuh"\n',
            "properties/laws/oracle.cpp": '#include "oracles/rules/rule.hpp"\n',
            "gate/main.cpp": '#include "driftgate/kernel.h"\n#include "kernels/abi/registry.hpp"\n',
            "tests/anything.cpp": '#include "kernels/adamw/adamw.cuh"\n#include "gate/judge.hpp"\n',
        }), [])

    def test_each_planted_violation_is_found_with_its_file_and_line(self):
        for source, included in [
            ("oracles/formats/format.hpp", "oracles/numbers/dd.hpp"),
            ("oracles/numbers/dd.hpp", "oracles/rules/rule.hpp"),
            ("oracles/rules/adamw.cpp", "properties/contract.hpp"),
            ("oracles/tiers/tier.cpp", "kernels/abi/registry.hpp"),
            ("oracles/audit.cpp", "longrun/problems/mlp.hpp"),
            ("kernels/adamw/adamw.cu", "oracles/rules/adamw.hpp"),
            ("kernels/backend/fibers.cpp", "gate/host/protocol.hpp"),
            ("kernels/adamw/contract.hpp", "properties/contract.hpp"),
            ("properties/laws/bits.cpp", "kernels/backend/launch.cuh"),
            ("properties/subject.hpp", "driftgate/kernel.h"),
            ("properties/subject.hpp", "gate/judge.hpp"),
            ("longrun/problems/mlp.cpp", "gate/judge.hpp"),
            ("gate/main.cpp", "kernels/adamw/adamw.cuh"),
        ]:
            for line in (f'#include "{included}"', f"  #  include <{included}>"):
                with self.subTest(source=source, line=line):
                    found = check({source: "#pragma once\n" + line + "\n"})
                    self.assertEqual(len(found), 1)
                    self.assertTrue(found[0].startswith(f"{source}:2: "), found[0])
                    self.assertTrue(found[0].endswith(included), found[0])

    def test_a_relative_path_does_not_hide_a_violation(self):
        found = check({
            "oracles/formats/format.hpp": '#include "../numbers/dd.hpp"\n',
            "oracles/numbers/dd.hpp": "",
        })
        self.assertEqual(len(found), 1)
        self.assertIn("oracles/formats/ may not include oracles/numbers/dd.hpp", found[0])

    def test_an_include_through_a_macro_is_a_violation(self):
        self.assertEqual(len(check({"gate/main.cpp": "#include KERNEL\n"})), 1)

    def test_a_comment_is_no_include(self):
        self.assertEqual(check({"oracles/audit.hpp": '// #include "gate/judge.hpp"\n'}), [])

    def test_a_folder_without_an_entry_is_a_violation(self):
        self.assertEqual(len(check({"misc/helper.cpp": "", "build/cpu/generated.cpp": ""})), 1)


if __name__ == "__main__":
    unittest.main()
