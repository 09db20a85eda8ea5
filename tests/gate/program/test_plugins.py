"""What is no usable plugin: exit code 2, one sentence on standard error, nothing on standard output."""

import os
import shutil
import unittest

from program_case import PLUGINS, PROGRAM, WORDS, ProgramCase

MACHINE = 18  # the place of e_machine in an ELF header


class Plugins(ProgramCase):
    def refused(self, plugin, said, *words, **how):
        with self.subTest(said=said):
            done = self.run_program("check", plugin, *words, **how)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(said, self.sentence(done))

    def file(self, contents):
        path = self.folder / "plugin.so"
        path.write_bytes(contents)
        return path

    def test_files_that_are_no_shared_objects(self):
        whole = (PLUGINS / "good.so").read_bytes()
        other = bytearray(whole)
        other[MACHINE:MACHINE + 2] = (243).to_bytes(2, "little")
        self.refused("missing.so", "there is no such file")
        self.refused(self.folder, "it is a folder")
        self.refused("/dev/null", "it is not a regular file")
        self.refused(self.file(b""), "it is empty")
        self.refused(self.file(b"#!/bin/sh\nexit 0\n"), "not those of an ELF file")
        self.refused(self.file(whole[:len(whole) // 2]), "it is cut off")
        self.refused(self.file(bytes(other)), "it is for another processor")
        self.refused(PROGRAM, "it cannot be loaded as a shared object")
        (self.folder / "loop.so").symlink_to("loop.so")
        self.refused("loop.so", "no usable plugin")

    def test_a_file_that_may_not_be_read(self):
        path = self.file((PLUGINS / "good.so").read_bytes())
        how = {}
        if os.geteuid() == 0:  # whom no permission stops
            self.folder.chmod(0o755)
            how = {"user": 65534, "cwd": "/"}
            try:
                self.run_program("--version", **how)
            except OSError:
                self.skipTest("another user may not run the program here")
        path.chmod(0)
        self.refused(path, "it cannot be read (Permission denied)", **how)

    def test_shared_objects_that_are_no_plugins(self):
        for plugin, said in (
                ("no_symbol", "it does not export dg_plugin_kernels"),
                ("unresolved", "dg_nobody_has_written_this"),
                ("null_table", "gave a null table"), ("no_kernels", "gave no kernel"),
                ("negative_count", "gave -2 kernels"), ("returns_code", "returned 5"),
                ("crashes_on_load", "signal 6 (Aborted) in loading it"),
                ("exits_on_load", "exited with status 0 in the middle of loading it"),
                ("throws_on_load", "in loading it"), ("hangs_on_load", "no answer within 0.3 s")):
            self.refused(PLUGINS / f"{plugin}.so", said, "--timeout", "0.3")

    def test_tables_that_cannot_be_used(self):
        for field, said in (
                ("abi_version", "kernel 1 is of ABI version 2, and this program knows 1"),
                ("struct_bytes", "table has only 16 bytes"), ("name", "kernel 1 has no name"),
                ("empty name", "the name of kernel 1"), ("strange name", "the name of kernel 1"),
                ("same name", 'two kernels have the name "one"'), ("rule", "kernel 1 has no rule"),
                ("device", "kernel 1 has no device"), ("dtypes", "kernel 1 has no dtypes"),
                ("wild dtypes", "signal 11 (Segmentation fault)"),
                ("step", "kernel 1 has no step"), ("count", "gave 1000000000 kernels"),
                ("throws", "no table today"), ("aborts", "signal 6 (Aborted)"),
                ("hangs", "no answer within 0.3 s"), ("prints", 'unknown rule "sgd"; known: ')):
            self.refused(PLUGINS / "one_field_wrong.so", said, "--timeout", "0.3",
                         environment={"FIELD": field})

    def test_contracts_that_make_no_sense(self):
        dtypes = "param=f32 grad=f32 exp_avg=f32 exp_avg_sq=f32"
        for variable, words, said in (
                ("NAME", "a/b", "a name has at most 64 of the characters"),
                ("NAME", ".hidden", "does not begin with a dot"),
                ("NAME", "x" * 65, "at most 64"),
                ("RULE", "", "has no rule"),
                ("RULE", "adamv", 'unknown rule "adamv"; known: adamw'),
                ("DEVICE", "tpu", '"tpu" in its device; known are cpu, cuda'),
                ("DTYPES", dtypes + " momentum=f32", 'has no role "momentum"; known: param grad'),
                ("DTYPES", dtypes.replace("param=f32 ", ""), "no format for the role param"),
                ("DTYPES", dtypes.replace("param=f32", "param=f33"), '"param=f33"'),
                ("DTYPES", dtypes.replace("param=f32", "param=f64"), "verifies f32, bf16 and f16 there"),
                ("DTYPES", dtypes.replace("exp_avg=f32", "exp_avg=bf16"), "verifies f32 there only"),
                ("DTYPES", dtypes + " master_param=bf16", "verifies f32 there only"),
                ("DTYPES", dtypes + " master_param=f32", "no narrower than the master_param"),
                ("DTYPES", dtypes + " param=f32", '"param" is said twice'),
                ("OPTIONS", "nesterov", 'has no option "nesterov"; known: amsgrad maximize'),
                ("OPTIONS", "maximize maximize", '"maximize" is said twice'),
                ("OPTIONS", "amsgrad", "no format for the role max_exp_avg_sq"),
                ("NUMERICS", "rounding=up", '"rounding=up" in its numerics; known are compute='),
                ("NUMERICS", "rounding=stochastic", "this version verifies"),
                ("NUMERICS", "div=ulp:64", "beyond the 4 ulps"),
                ("BUDGET", "launches=one", '"launches=one" in its budget; known are launches=N')):
            self.refused(WORDS, said, environment={f"DG_{variable}": words})
        self.refused(WORDS, 'has no role "momentum"', environment={
            "DG_DEVICE": "cuda", "DG_DTYPES": dtypes + " momentum=f32"})

    def test_a_kernel_that_is_not_there_names_those_that_are(self):
        self.refused(PLUGINS / "good.so", 'there is no kernel "nope" in ', "--kernel", "nope")
        done = self.run_program("check", PLUGINS / "good.so", "--kernel", "nope")
        self.assertIn("known: descends noisy tells_addresses", done.stderr)

    def test_a_plugin_may_lie_anywhere(self):
        (self.folder / "a folder").mkdir()
        for path in ("plain.so", "a folder/with spaces.so", "./plain.so"):
            shutil.copy(WORDS, self.folder / path)
            done = self.run_program("check", path, environment={"DG_DEVICE": "cuda"})
            self.assertEqual(done.returncode, 3, done.stderr)


if __name__ == "__main__":
    unittest.main()
